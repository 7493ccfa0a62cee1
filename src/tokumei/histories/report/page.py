"""Writes the page on released histories and the files of a sweep.

    study = study_history(history, "rank-match", range(2, 21))
    Path("report.html").write_text(render_history_report([study]), encoding="utf-8")
    write_all(sweep_outputs([sweep], "out"))   # sweep.csv, sweep.json, sweep.svg, report.html

One HTML file that works offline, in every language. Studies give the whole page, plain sweeps
the trade-off. The same input gives the same bytes; no request leaves the page; no customer,
pseudonym or seed enters it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import vl_convert

from tokumei.core.described import find_registered
from tokumei.core.errors import UsageError
from tokumei.core.language import Language, current_language
from tokumei.core.messages import Message, join_sentences
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.files.atomic_write import Output
from tokumei.files.writing import text_output
from tokumei.histories.registry import anonymizers
from tokumei.histories.report import chart_data, study_charts, sweep_charts
from tokumei.histories.report.chart_data import (
    HONEST_LOSS_KEY,
    SweepRun,
    column_titles,
    front_over_all_runs,
    honest_total,
    to_sweep_runs,
)
from tokumei.histories.report.cluster_example import ClusterExample, invented_example
from tokumei.histories.report.glossary import CAUTIONS, history_glossary, rate_uses
from tokumei.histories.report.verdict import history_verdict, select_main_run, summarize_attacks
from tokumei.histories.study import HistoryStudy
from tokumei.pages.html import BuildNamedChart, chart_payload, render_page
from tokumei.pages.palette import style_standalone_chart
from tokumei.pages.sweep_report import sweep_figure_outputs

ReportSource = HistoryStudy | Sweep


@dataclass(frozen=True)
class SweepCell:
    """One release of one sweep."""

    point: SweepPoint
    honest: float | None
    total: float
    front: bool
    best: bool
    chosen: bool


@dataclass(frozen=True)
class SweepTableRow:
    """A value of the parameter, its risk, and per sweep its release (None: not swept)."""

    value: object
    risk: float
    cells: tuple[SweepCell | None, ...]


def sweep_table_rows(runs: Sequence[SweepRun]) -> list[SweepTableRow]:
    """All releases, in the order of the parameter's values."""
    cells_by_value: dict[object, dict[int, SweepCell]] = {}
    for run, front in zip(runs, front_over_all_runs(runs), strict=True):
        for point, on_front in zip(run.sweep.points, front, strict=True):
            honest = point.measured.get(HONEST_LOSS_KEY)
            best, chosen = point is run.best, point is run.chosen
            cell = SweepCell(point, honest, honest_total(point), on_front, best, chosen)
            cells_by_value.setdefault(point.value, {})[run.number] = cell
    numbers = sorted(value for value in cells_by_value if isinstance(value, (int, float)))
    values = numbers if len(numbers) == len(cells_by_value) else list(cells_by_value)
    lines = []
    for value in values:
        risk = next(iter(cells_by_value[value].values())).point.risk
        lines.append(
            SweepTableRow(value, risk, tuple(cells_by_value[value].get(run.number) for run in runs))
        )
    return lines


def history_payload(runs: Sequence[SweepRun]) -> dict[str, object]:
    """Configuration, specifications by name and language, and data sets by name."""
    builds: dict[str, BuildNamedChart] = {
        "figure": lambda rows, lang: sweep_charts.build_loss_risk_chart(rows, runs, lang),
        "front": lambda rows, lang: sweep_charts.build_front_chart(rows, runs, lang),
        "kept": lambda rows, lang: sweep_charts.build_rows_kept_chart(rows, runs, lang),
        "columns": lambda rows, lang: sweep_charts.build_column_loss_chart(rows, runs, lang),
    }
    data: dict[str, object] = {
        "figure": chart_data.loss_risk_rows(runs),
        "front": chart_data.front_rows(runs),
        "kept": chart_data.rows_kept_rows(runs),
    }
    for run in runs:
        data[f"columns-{run.number}"] = chart_data.column_rows(run.sweep)
        _add_study_charts(run, builds, data)
    return chart_payload(builds, data)


def _add_study_charts(
    run: SweepRun, builds: dict[str, BuildNamedChart], data: dict[str, object]
) -> None:
    study = run.study
    if study is None:
        return
    builds["activity"], builds["months"] = (
        study_charts.build_activity_chart,
        study_charts.build_monthly_sales_chart,
    )
    data[f"activity-{run.number}"] = chart_data.activity_rows(study)
    data[f"months-{run.number}"] = chart_data.month_rows(study)
    if study.by_category is None:
        return
    builds["sizes"] = study_charts.build_category_size_chart
    builds["categories"] = lambda rows, lang: study_charts.build_category_loss_chart(
        rows, run, lang
    )
    builds["five"] = lambda rows, lang: study_charts.build_five_line_chart(rows, run, lang)
    data[f"five-{run.number}"] = chart_data.loss_and_sum_rows(study.sweep, study.by_category)
    data["sizes"] = chart_data.category_size_rows(study.category_sizes)
    data[f"categories-{run.number}"] = chart_data.category_loss_rows(study.sweep, study.by_category)


REPORT_TITLE = Message("Purchase history report")


def render_history_report(
    sources: ReportSource | Sequence[ReportSource],
    *,
    title: Message | None = None,
    lang: Language = "en",
) -> str:
    """The page on one or more studies or sweeps, opening in `lang`."""
    listed = [sources] if isinstance(sources, (HistoryStudy, Sweep)) else list(sources)
    _require_points(listed)
    runs = to_sweep_runs(listed)
    main = select_main_run(runs)
    studies = [run for run in runs if run.study]
    return render_page(
        "history/page.html",
        home="tokumei.histories.report",
        lang=lang,
        title=title or REPORT_TITLE,
        data=history_payload(runs),
        styles=["curves/common.css"],
        runs=runs,
        main=main,
        columns=column_titles(runs),
        studies=studies,
        verdict=history_verdict(main),
        table=sweep_table_rows(runs),
        table_note=_table_note(runs),
        example=_choose_cluster_example(main),
        attacks={run.number: summarize_attacks(run.study) for run in studies if run.study},
        uses={run.number: rate_uses(run.study) for run in studies if run.study},
        categorized=next((r for r in studies if r.study and r.study.by_category), None),
        methods=_method_explanations(runs),
        cautions=CAUTIONS,
        groups=history_glossary(runs),
    )


def _table_note(runs: Sequence[SweepRun]) -> Message:
    """What the marks and columns of the table of all releases mean."""
    best = Message("★ smallest sum of loss and risk.")
    if any(run.categorized for run in runs):
        best = Message(
            "★ smallest sum of loss and risk (with categories: of the honest loss and risk)."
        )
    notes = [
        best,
        Message("● front: no release on this page has both smaller; ○ another one has."),
        Message("Shaded: the chosen release."),
    ]
    if len(runs) == 1 and "loss_day" in runs[0].sweep.points[0].measured:
        parts = Message("Day to quantity: the error of each column; the loss is their mean.")
        notes.insert(2, parts)
    if any(run.attacked for run in runs):
        notes.append(
            Message(
                "Strongest attack: the share of customers it names rightly; R(n): the contest’s "
                "test of its hits."
            )
        )
    return join_sentences(notes)


def _choose_cluster_example(run: SweepRun) -> ClusterExample | None:
    """The study's example; for a sweep an invented one, if its method is known here."""
    if run.study:
        return run.study.example
    is_registered = run.sweep.method in anonymizers.names()
    return invented_example(run.sweep.method) if is_registered else None


def _method_explanations(
    runs: Sequence[SweepRun],
) -> list[tuple[str, Message, tuple[Message, ...]]]:
    used_methods = [
        find_registered(anonymizers, name)
        for name in dict.fromkeys(run.sweep.method for run in runs)
    ]
    return [
        (method.name, method.title, method.explained)
        for method in used_methods
        if method and method.explained
    ]


def _require_points(sources: Sequence[ReportSource]) -> None:
    sweeps = [source if isinstance(source, Sweep) else source.sweep for source in sources]
    if not sweeps or not all(sweep.points for sweep in sweeps):
        raise UsageError(
            "a report needs at least one study or sweep, each with at least one release"
        )
    if len({sweep.parameter for sweep in sweeps}) > 1:
        raise UsageError("sweeps of different parameters cannot share one report")


def sweep_outputs(
    sources: Sequence[ReportSource], folder: str | Path, *, title: Message | None = None
) -> list[Output]:
    """The files of sweeps or studies, not yet written."""
    lang, target = current_language(), Path(folder)
    return [
        *sweep_figure_outputs(
            {run.label.show("en"): run.sweep for run in to_sweep_runs(sources)}, target
        ),
        text_output(render_sweep_svg(sources, lang=lang), target / "sweep.svg"),
        text_output(render_history_report(sources, title=title, lang=lang), target / "report.html"),
    ]


def render_sweep_svg(sources: Sequence[ReportSource], *, lang: Language) -> str:
    """Loss, 1/k and sum against k as SVG text."""
    runs = to_sweep_runs(sources)
    rows = alt.InlineData(values=chart_data.loss_risk_rows(runs))
    chart = style_standalone_chart(sweep_charts.build_loss_risk_chart(rows, runs, lang))
    return str(vl_convert.vegalite_to_svg(chart.to_json()))
