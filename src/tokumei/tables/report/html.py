"""The report on releases of a table: one page, its chart specifications and data as inert JSON.

Path("report.html").write_text(render_report(evaluations), encoding="utf-8")
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Language, Text
from tokumei.report.html import Build, chart_payload, render_page, require_language
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.charts import (
    CLASS_SIZE,
    axis_of,
    build_bins,
    build_tradeoff,
    build_values,
    tradeoff_points,
)
from tokumei.tables.report.distributions import (
    Change,
    changes,
    class_size_bars,
    fewest_told,
    records,
)
from tokumei.tables.report.page import page_context
from tokumei.tables.report.scorecard import USUAL, FigureAxes, losses_of

DEFAULT_TITLE = Text("Anonymization report", "匿名加工レポート")
SEED = re.compile(
    r"(^seed\s*:\s*|--seed[ =]|[\"']seed[\"']\s*:\s*|_seed\s*[:=]\s*)[-+]?\d\w*",
    re.IGNORECASE | re.MULTILINE,
)
"""Seeds of a run. That of generated data stands indented in a recipe, and is no secret."""


def render_report(
    evaluations: Sequence[Evaluation],
    *,
    title: Text | None = None,
    recipe: str | None = None,
    axes: FigureAxes = USUAL,
    lang: Language = "en",
) -> str:
    """The whole report on releases of one table, opening in `lang`; `axes` are its chart's."""
    _require(evaluations, axes, lang)
    original = evaluations[0].case.original
    found = [
        changes(original, one.case.released, one.case.hierarchies, fewest_told(one.release.claims))
        for one in evaluations
    ]
    return render_page(
        "report.html",
        home="tokumei.tables.report",
        lang=lang,
        title=title or DEFAULT_TITLE,
        data=payload(evaluations, original, found, axes),
        recipe=SEED.sub(r"\1…", recipe) if recipe else None,
        **page_context(evaluations, original, found, axes),
    )


def _require(evaluations: Sequence[Evaluation], axes: FigureAxes, lang: str) -> None:
    """Fail unless there is a release, its figure's loss was measured and its attack tried."""
    if not evaluations:
        raise UsageError(
            "a report needs at least one evaluated release",
            "レポートには評価済みの匿名加工データが一つ以上必要です",
        )
    require_language(lang)
    losses = losses_of(evaluations)
    tried = list(dict.fromkeys(name for one in evaluations for name in one.attacks))
    if axes.x is not None and axes.x not in losses:
        raise UnknownNameError(Text("loss of the figure", "図の損失の指標"), axes.x, losses)
    if axes.y is not None and axes.y not in tried:
        raise UnknownNameError(Text("attack of the figure", "図の攻撃"), axes.y, tried)


def payload(
    evaluations: Sequence[Evaluation],
    original: Table,
    found: Sequence[Sequence[Change]],
    axes: FigureAxes = USUAL,
) -> dict[str, Any]:
    """Configuration, specifications by name and language, and data sets by name."""
    builds: dict[str, Build] = {
        "sizes": lambda rows, lang: build_bins(rows, lang, CLASS_SIZE.show(lang), height=300),
        "bins": build_bins,
        "values": build_values,
    }
    data: dict[str, Any] = {}
    for measure in losses_of(evaluations):
        points = tradeoff_points(evaluations, measure, axes)
        data[f"loss-{measure}"] = points
        builds[f"loss-{measure}"] = partial(
            build_tradeoff, measure=measure, axis=axis_of(points), attack=axes.y
        )
    for i, (evaluation, columns) in enumerate(zip(evaluations, found, strict=True)):
        release = evaluation.release
        sizes = class_size_bars(original, release.public, fewest_told(release.claims))
        data[f"sizes-{i}"] = records(sizes)
        data.update({f"column-{i}-{j}": records(change.bars) for j, change in enumerate(columns)})
    return chart_payload(builds, data)
