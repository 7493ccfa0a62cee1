"""What the page's script needs: chart specifications once, their data sets, as inert JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import altair as alt

from tokumei.data.table import Table
from tokumei.report.charts import CLASS_SIZE, build_bins, build_tradeoff, build_values
from tokumei.report.distributions import Change, changes, class_size_bars, records
from tokumei.report.palette import chart_config
from tokumei.report.points import Axis, axis_of, tradeoff_points
from tokumei.search.evaluate import Evaluation
from tokumei.text import Language

LANGUAGES: tuple[Language, Language] = ("en", "ja")
LOSSES = ("U5", "U1", "U2", "U3", "U4", "gcp_sets")
"""The measures that the utility–safety chart offers, the first by default."""

Build = Callable[[alt.NamedData, Language], alt.LayerChart]
"""How a chart is made of named rows, in a language."""


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


def chart_payload(builds: Mapping[str, Build], data: Mapping[str, Any]) -> dict[str, Any]:
    """Configuration, specifications by name and language, and data sets by name."""
    rows = alt.NamedData(name="rows")
    specs = {
        name: {lang: _spec(build(rows, lang)) for lang in LANGUAGES}
        for name, build in builds.items()
    }
    return {"config": chart_config(), "specs": specs, "data": dict(data)}


def inert_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in, nor start another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _tradeoff(measure: str, axis: Axis, rows: alt.NamedData, lang: Language) -> alt.LayerChart:
    return build_tradeoff(rows, measure, axis, lang)


def _spec(chart: alt.LayerChart) -> dict[str, Any]:
    """A chart without its outer wrapping; the script adds configuration and data.

    Altair checked the parts when they were made; checking the whole again takes half a second.
    """
    spec: dict[str, Any] = chart.to_dict(validate=False)
    return {key: part for key, part in spec.items() if key not in ("$schema", "config", "data")}
