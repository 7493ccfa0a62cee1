"""The page on released histories and the other files of a sweep: table, figures and picture.

    study = study_history(history, "rank-match", range(2, 21))
    Path("report.html").write_text(render_history_report([study]), encoding="utf-8")
    write_all(sweep_outputs([sweep], "out"))   # sweep.csv, sweep.json, sweep.svg, report.html

One HTML file that works offline, in English and Japanese. Studies give the whole page, plain sweeps
the trade-off. The same input gives the same bytes; no request leaves the page; no customer,
pseudonym or seed enters it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from tokumei.core.errors import UsageError
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.core.text import Language, Text, current_language
from tokumei.core.words import known
from tokumei.files.atomic import Output
from tokumei.files.writing import text_output
from tokumei.histories.registry import anonymizers
from tokumei.histories.report import charts, series, study_charts
from tokumei.histories.report.cluster_example import ClusterExample, invented_example
from tokumei.histories.report.glossary import CAUTIONS, history_glossary, uses_of
from tokumei.histories.report.series import (
    HONEST,
    Run,
    column_titles,
    common_front,
    honest_total,
    runs_of,
)
from tokumei.histories.report.verdict import attack_lines, history_verdict, main_run
from tokumei.histories.study import HistoryStudy
from tokumei.report.html import Build, chart_payload, render_page
from tokumei.report.palette import alone
from tokumei.report.sweeps import figure_outputs

Source = HistoryStudy | Sweep


@dataclass(frozen=True)
class Cell:
    """One release of one sweep."""

    point: SweepPoint
    honest: float | None
    total: float
    front: bool
    best: bool
    chosen: bool


@dataclass(frozen=True)
class TableLine:
    """A value of the parameter, its risk, and per sweep its release (None: not swept)."""

    value: Any
    risk: float
    cells: tuple[Cell | None, ...]


def sweep_table(runs: Sequence[Run]) -> list[TableLine]:
    """All releases, in the order of the parameter's values."""
    found: dict[Any, dict[int, Cell]] = {}
    for run, front in zip(runs, common_front(runs), strict=True):
        for point, kept in zip(run.sweep.points, front, strict=True):
            honest = point.measured.get(HONEST)
            best, chosen = point is run.best, point is run.chosen
            cell = Cell(point, honest, honest_total(point), kept, best, chosen)
            found.setdefault(point.value, {})[run.number] = cell
    values = sorted(found) if all(isinstance(v, (int, float)) for v in found) else list(found)
    lines = []
    for value in values:
        risk = next(iter(found[value].values())).point.risk
        lines.append(TableLine(value, risk, tuple(found[value].get(run.number) for run in runs)))
    return lines


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
    builds["five"] = lambda rows, lang: study_charts.build_five_lines(rows, run, lang)
    data[f"five-{run.number}"] = series.five_rows(study.sweep, study.by_category)
    data["sizes"] = series.size_rows(study.category_sizes)
    data[f"categories-{run.number}"] = series.category_rows(study.sweep, study.by_category)


TITLE = Text("Purchase history report", "購買履歴の匿名加工レポート")


def render_history_report(
    sources: Source | Sequence[Source], *, title: Text | None = None, lang: Language = "en"
) -> str:
    """The page on one or more studies or sweeps, opening in `lang`."""
    listed = [sources] if isinstance(sources, (HistoryStudy, Sweep)) else list(sources)
    _require_points(listed)
    runs = runs_of(listed)
    return render_page(
        "history/page.html",
        home="tokumei.histories.report",
        lang=lang,
        title=title or TITLE,
        data=history_payload(runs),
        styles=["curves/common.css"],
        **_context(runs),
    )


def _context(runs: Sequence[Run]) -> dict[str, Any]:
    main = main_run(runs)
    studies = [run for run in runs if run.study]
    return {
        "runs": runs,
        "main": main,
        "columns": column_titles(runs),
        "studies": studies,
        "verdict": history_verdict(main),
        "table": sweep_table(runs),
        "example": _example(main),
        "attacks": {run.number: attack_lines(run.study) for run in studies if run.study},
        "uses": {run.number: uses_of(run.study) for run in studies if run.study},
        "categorized": next((r for r in studies if r.study and r.study.by_category), None),
        "methods": _methods(runs),
        "cautions": CAUTIONS,
        "groups": history_glossary(runs),
    }


def _example(run: Run) -> ClusterExample | None:
    """The study's example; for a sweep an invented one, if its method is known here."""
    if run.study:
        return run.study.example
    known = run.sweep.method in anonymizers.names()
    return invented_example(run.sweep.method) if known else None


def _methods(runs: Sequence[Run]) -> list[tuple[str, Text, tuple[Text, ...]]]:
    found = [known(anonymizers, name) for name in dict.fromkeys(run.sweep.method for run in runs)]
    return [(one.name, one.title, one.explained) for one in found if one and one.explained]


def _require_points(sources: Sequence[Source]) -> None:
    sweeps = [source if isinstance(source, Sweep) else source.sweep for source in sources]
    if not sweeps or not all(sweep.points for sweep in sweeps):
        raise UsageError(
            "a report needs at least one study or sweep, each with at least one release",
            "レポートには、匿名加工データを一つ以上含む分析か比較 (sweep) が必要です",
        )
    if len({sweep.parameter for sweep in sweeps}) > 1:
        raise UsageError(
            "sweeps of different parameters cannot share one report",
            "異なるパラメータの比較 (sweep) を一つのレポートにまとめることはできません",
        )


def sweep_outputs(
    sources: Sequence[Source], folder: str | Path, *, title: Text | None = None
) -> list[Output]:
    """The files of sweeps or studies, not yet written."""
    spoken, place = current_language(), Path(folder)
    return [
        *figure_outputs({run.label.en: run.sweep for run in runs_of(sources)}, place),
        text_output(sweep_svg(sources, lang=spoken), place / "sweep.svg"),
        text_output(
            render_history_report(sources, title=title, lang=spoken), place / "report.html"
        ),
    ]


def sweep_svg(sources: Sequence[Source], *, lang: Language) -> str:
    """Loss, 1/k and sum against k as SVG text."""
    runs = runs_of(sources)
    rows = alt.InlineData(values=series.figure_rows(runs))
    chart = alone(charts.build_figure(rows, runs, lang))
    return str(vl_convert.vegalite_to_svg(chart.to_json()))
