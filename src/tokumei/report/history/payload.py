"""What the page's script needs: chart specifications per language, and their rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from tokumei.report.history import charts, series, study_charts
from tokumei.report.history.overlay import Run
from tokumei.report.palette import chart_config
from tokumei.report.payload import LANGUAGES
from tokumei.text import Language

Build = Callable[[alt.NamedData, Language], alt.LayerChart]


def history_payload(runs: Sequence[Run]) -> dict[str, Any]:
    """Configuration, specifications by name and language, and data sets by name."""
    builds: dict[str, Build] = {
        "figure": lambda rows, lang: charts.build_figure(rows, runs, lang),
        "front": lambda rows, lang: charts.build_front(rows, runs, lang),
        "kept": lambda rows, lang: charts.build_kept(rows, runs, lang),
        "columns": lambda rows, lang: charts.build_columns(rows, runs, lang),
    }
    data: dict[str, Any] = {
        "figure": series.figure_rows(runs),
        "front": series.front_rows(runs),
        "kept": series.kept_rows(runs),
    }
    for run in runs:
        data[f"columns-{run.number}"] = series.column_rows(run.sweep)
        _add_study(run, builds, data)
    return {"config": chart_config(), "specs": _specs(builds), "data": data}


def _add_study(run: Run, builds: dict[str, Build], data: dict[str, Any]) -> None:
    study = run.study
    if study is None:
        return
    builds["activity"], builds["months"] = study_charts.build_activity, study_charts.build_months
    data[f"activity-{run.number}"] = series.activity_rows(study)
    data[f"months-{run.number}"] = series.month_rows(study)
    if study.by_category is None:
        return
    builds["sizes"] = study_charts.build_sizes
    builds["categories"] = lambda rows, lang: study_charts.build_category_losses(rows, run, lang)
    data["sizes"] = series.size_rows(study.category_sizes)
    data[f"categories-{run.number}"] = series.category_rows(study.sweep, study.by_category)


def _specs(builds: dict[str, Build]) -> dict[str, dict[str, Any]]:
    rows = alt.NamedData(name="rows")
    return {
        name: {lang: _spec(build(rows, lang)) for lang in LANGUAGES}
        for name, build in builds.items()
    }


def _spec(chart: alt.LayerChart) -> dict[str, Any]:
    """A chart without its outer wrapping; the script adds configuration and data."""
    spec: dict[str, Any] = chart.to_dict(validate=False)
    return {key: part for key, part in spec.items() if key not in ("$schema", "config", "data")}
