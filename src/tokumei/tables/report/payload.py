"""What the page's script needs: chart specifications once, their data sets, as inert JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import altair as alt

from tokumei.core.text import Language
from tokumei.report.payload import Build, chart_payload
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.charts import CLASS_SIZE, build_bins, build_tradeoff, build_values
from tokumei.tables.report.distributions import Change, changes, class_size_bars, records
from tokumei.tables.report.points import Axis, axis_of, tradeoff_points

LOSSES = ("U5", "U1", "U2", "U3", "U4", "gcp_sets")
"""The measures that the utility–safety chart offers, the first by default."""


def losses_of(evaluations: Sequence[Evaluation]) -> list[str]:
    """Which losses at least one release was measured by."""
    known = {name for evaluation in evaluations for name in evaluation.scores}
    return [name for name in LOSSES if name in known]


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
