"""Renders the report on releases of a table: one page with charts as JSON.

Path("report.html").write_text(render_report(evaluations), encoding="utf-8")
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.html import BuildNamedChart, chart_payload, render_page, require_page_language
from tokumei.pages.verdict_view import AssessedRelease
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.charts import (
    CLASS_SIZE_LABEL,
    build_bin_chart,
    build_tradeoff_chart,
    build_value_chart,
    loss_axis,
    tradeoff_points,
)
from tokumei.tables.report.distributions import (
    ColumnChange,
    chart_rows,
    class_size_bars,
    column_changes,
    min_disclosed_rows,
)
from tokumei.tables.report.report_context import page_context
from tokumei.tables.report.scorecard import DEFAULT_AXES, FigureAxes, loss_names

DEFAULT_TITLE = Message("Anonymization report")
SEED_PATTERN = re.compile(
    r"(^seed\s*:\s*|--seed[ =]|[\"']seed[\"']\s*:\s*|_seed\s*[:=]\s*)[-+]?\d\w*",
    re.IGNORECASE | re.MULTILINE,
)
"""Seeds of a run. That of generated data stands indented in a recipe, and is no secret."""


def render_report(
    evaluations: Sequence[Evaluation],
    *,
    title: Message | None = None,
    recipe: str | None = None,
    axes: FigureAxes = DEFAULT_AXES,
    assessed: Mapping[str, AssessedRelease] | None = None,
    lang: Language = "en",
) -> str:
    """The whole report on releases of one table, opening in `lang`; `axes` are its chart's.

    `assessed` has the assessments by the releases' names. Without them the page gives no verdict.
    """
    _require_report_inputs(evaluations, axes, lang)
    original = evaluations[0].case.original
    all_changes = [
        column_changes(
            original,
            evaluation.case.released,
            evaluation.case.hierarchies,
            min_disclosed_rows(evaluation.release.claims),
        )
        for evaluation in evaluations
    ]
    return render_page(
        "report.html",
        home="tokumei.tables.report",
        lang=lang,
        title=title or DEFAULT_TITLE,
        data=report_payload(evaluations, original, all_changes, axes),
        recipe=SEED_PATTERN.sub(r"\1…", recipe) if recipe else None,
        styles=["verdict.css", "assessment.css"],
        **page_context(evaluations, original, all_changes, axes, assessed or {}),
    )


def _require_report_inputs(evaluations: Sequence[Evaluation], axes: FigureAxes, lang: str) -> None:
    """Fail unless there is a release, its figure's loss was measured and its attack tried."""
    if not evaluations:
        raise UsageError("a report needs at least one evaluated release")
    require_page_language(lang)
    losses = loss_names(evaluations)
    tried = list(dict.fromkeys(name for evaluation in evaluations for name in evaluation.attacks))
    if axes.x is not None and axes.x not in losses:
        raise UnknownNameError(Message("loss of the figure"), axes.x, losses)
    if axes.y is not None and axes.y not in tried:
        raise UnknownNameError(Message("attack of the figure"), axes.y, tried)


def report_payload(
    evaluations: Sequence[Evaluation],
    original: Table,
    all_changes: Sequence[Sequence[ColumnChange]],
    axes: FigureAxes = DEFAULT_AXES,
) -> dict[str, object]:
    """Configuration, specifications by name and language, and data sets by name."""
    builds: dict[str, BuildNamedChart] = {
        "sizes": lambda rows, lang: build_bin_chart(
            rows, lang, CLASS_SIZE_LABEL.show(lang), height=300
        ),
        "bins": build_bin_chart,
        "values": build_value_chart,
    }
    data: dict[str, object] = {}
    for measure in loss_names(evaluations):
        points = tradeoff_points(evaluations, measure, axes)
        data[f"loss-{measure}"] = points
        builds[f"loss-{measure}"] = partial(
            build_tradeoff_chart, measure=measure, axis=loss_axis(points), attack=axes.y
        )
    for i, (evaluation, columns) in enumerate(zip(evaluations, all_changes, strict=True)):
        release = evaluation.release
        sizes = class_size_bars(original, release.public, min_disclosed_rows(release.claims))
        data[f"sizes-{i}"] = chart_rows(sizes)
        data.update(
            {f"column-{i}-{j}": chart_rows(change.bars) for j, change in enumerate(columns)}
        )
    return chart_payload(builds, data)
