"""What the page's script needs: chart specifications per language, and their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokumei.histories.report import charts, series, study_charts
from tokumei.histories.report.overlay import Run
from tokumei.report.html import Build, chart_payload


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
    return chart_payload(builds, data)


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
