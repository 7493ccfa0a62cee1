"""What the page's script needs: chart specifications once, their data sets, as inert JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import altair as alt

from tokumei.core.measure import Goal
from tokumei.core.text import Language
from tokumei.report.html import Build, chart_payload
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.measures.protocol import Measure
from tokumei.tables.registry import measures
from tokumei.tables.report.charts import CLASS_SIZE, build_bins, build_tradeoff, build_values
from tokumei.tables.report.distributions import Change, changes, class_size_bars, records
from tokumei.tables.report.points import Axis, axis_of, tradeoff_points
from tokumei.tables.report.scorecard import MAIN_LOSS


def scorecard_columns(evaluations: Sequence[Evaluation]) -> list[type[Measure]]:
    """The measures of a scorecard that some release has: safety, what is kept, then losses."""
    used = {name for evaluation in evaluations for name in evaluation.scores}
    kinds = [kind for name in measures.names() if name in used and (kind := measures.get(name))]
    headed = [kind for kind in kinds if getattr(kind, "heading", None)]
    return sorted(headed, key=lambda kind: (not kind.safety, kind.goal is Goal.MINIMIZE))


def losses_of(evaluations: Sequence[Evaluation]) -> list[str]:
    """The losses that the utility–safety chart offers, the main one first."""
    losses = [one for one in scorecard_columns(evaluations) if one.goal is Goal.MINIMIZE]
    return sorted((one.name for one in losses), key=lambda name: name != MAIN_LOSS)


def all_changes(evaluations: Sequence[Evaluation], original: Table) -> list[list[Change]]:
    """Per release the distribution of every column."""
    return [changes(original, evaluation.release.public) for evaluation in evaluations]


def payload(
    evaluations: Sequence[Evaluation], original: Table, found: Sequence[Sequence[Change]]
) -> dict[str, Any]:
    """Configuration, specifications by name and language, and data sets by name."""
    builds: dict[str, Build] = {
        "sizes": lambda rows, lang: build_bins(rows, lang, CLASS_SIZE.show(lang), height=300),
        "bins": build_bins,
        "values": build_values,
    }
    data: dict[str, Any] = {}
    for measure in losses_of(evaluations):
        points = tradeoff_points(evaluations, measure)
        data[f"loss-{measure}"] = points
        builds[f"loss-{measure}"] = partial(_tradeoff, measure, axis_of(points))
    for i, (evaluation, columns) in enumerate(zip(evaluations, found, strict=True)):
        data[f"sizes-{i}"] = records(class_size_bars(original, evaluation.release.public))
        data.update({f"column-{i}-{j}": change.records() for j, change in enumerate(columns)})
    return chart_payload(builds, data)


def _tradeoff(measure: str, axis: Axis, rows: alt.NamedData, lang: Language) -> alt.LayerChart:
    return build_tradeoff(rows, measure, axis, lang)
