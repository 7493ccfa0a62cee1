"""Renders the page and charts of a sweep over a table.

write_all(sweep_outputs(sweeps, Path("out")))   # sweep.csv, sweep.json, sweep.svg, report.html
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import altair as alt
import polars as pl
import vl_convert

from tokumei.core.formatting import format_percent
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.files.atomic_write import Output
from tokumei.pages.curve_page import (
    ChartPanel,
    CurvePage,
    FigureCell,
    FigureGrid,
    PageSection,
    curve_page_outputs,
)
from tokumei.pages.line_chart import LineChart
from tokumei.pages.page_parts import KeyFigure
from tokumei.pages.sweep_report import sweep_figure_outputs
from tokumei.tables.evaluation_suite import CurvePoint
from tokumei.tables.report.k_choice_page import CAUTIONS, line_row

LOSS_LABEL = Message("Loss")
RISK_LABEL = Message("Found by the strongest attack")
QI_ATTACK_LABEL = Message("Found by the QI alone")


def sweep_outputs(sweeps: Sequence[Sweep], folder: Path) -> list[Output]:
    """The figures, the charts and the page, not yet written."""
    return [
        *sweep_figure_outputs({sweep.label: sweep for sweep in sweeps}, folder),
        *curve_page_outputs(sweep_page(sweeps), folder),
    ]


def sweep_page(sweeps: Sequence[Sweep]) -> CurvePage:
    """The page: the smallest sum of each method in words, all releases as lines and figures."""
    first = min(sweeps, key=lambda sweep: sweep.best.total)
    best = first.best
    return CurvePage(
        title=Message("Loss and risk of a table"),
        headline=Message(
            "{method} with {parameter} = {best} has the smallest sum",
            method=first.method,
            parameter=first.parameter,
            best=best.value,
        ),
        detail=Message(
            "It loses {loss:percent} and the strongest attack finds {risk:percent}. Loss and risk "
            "have different units: the sum is a convention.",
            loss=best.loss,
            risk=best.risk,
        ),
        facts=Message(
            "{count} release",
            plural="{count} releases",
            count=sum(len(sweep.points) for sweep in sweeps),
        ),
        figures=[
            KeyFigure(format_percent(best.loss), None, LOSS_LABEL),
            KeyFigure(format_percent(best.risk), None, RISK_LABEL),
        ],
        sections=[_sweep_section(number, sweep) for number, sweep in enumerate(sweeps, 1)],
        cautions=CAUTIONS,
    )


def _sweep_section(number: int, sweep: Sweep) -> PageSection:
    name = "sweep" if number == 1 else f"sweep-{number}"
    lines = LineChart(
        x=Message.verbatim(sweep.parameter),
        y=Message("Share"),
        ticks=[point.value for point in sweep.points],
        names=[LOSS_LABEL, QI_ATTACK_LABEL, RISK_LABEL],
    )
    heading = Message.verbatim(sweep.label)
    panel = ChartPanel(
        name,
        heading,
        Message("Line chart of loss and risk; the table below holds the same figures"),
        [
            line_row(point.value, name, y, y, y)
            for point in sweep.points
            for name, y in _point_figures(point)
        ],
        lines.build,
    )
    intro = Message("What every release loses, and what the strongest of the attacks finds in it.")
    return PageSection(name, heading, intro, [panel], _figures_table(sweep))


def _point_figures(point: SweepPoint) -> list[tuple[Message, float]]:
    return [
        (LOSS_LABEL, point.loss),
        (QI_ATTACK_LABEL, point.measured["knows_qi"]),
        (RISK_LABEL, point.risk),
    ]


def _figures_table(sweep: Sweep) -> FigureGrid:
    attacks = [name for name in sweep.points[0].measured if name.startswith("attack_")]
    names = [Message.verbatim(attack_name.removeprefix("attack_")) for attack_name in attacks]
    kept_label = Message("Rows kept")
    header = [
        Message.verbatim(sweep.parameter),
        LOSS_LABEL,
        QI_ATTACK_LABEL,
        RISK_LABEL,
        kept_label,
        *names,
    ]
    lines = [
        (
            Message.verbatim(str(point.value)),
            [
                *(FigureCell(format_percent(x)) for _, x in _point_figures(point)),
                FigureCell(format_percent(point.rows_kept)),
                *(FigureCell(format_percent(point.measured[name])) for name in attacks),
            ],
        )
        for point in sweep.points
    ]
    chosen = [i for i, point in enumerate(sweep.points) if point is sweep.best]
    return FigureGrid(Message("Figures"), header, lines, chosen)


AXIS_TITLES = {
    "qi": Message("number of QI used |q|"),
    "sa": Message("number of SA used |s|"),
    "rows": Message("number of rows"),
}
FONT = '"Hiragino Sans","Noto Sans JP","Noto Sans CJK JP","Yu Gothic UI",Meiryo,sans-serif'


def curve_svg(points: Sequence[CurvePoint], lang: Language) -> str:
    """Rate (with interval) and time, side by side, as SVG text."""
    frame = pl.DataFrame([point.as_json() for point in points])
    base = alt.Chart(frame).encode(
        x=alt.X("used:Q", title=AXIS_TITLES[points[0].by].show(lang), axis=alt.Axis(tickMinStep=1)),
        color=alt.Color("attack:N", title=Message("attack").show(lang)),
    )
    band = base.mark_area(opacity=0.15).encode(
        y=alt.Y("low:Q", title=Message("success rate").show(lang)), y2="high:Q"
    )
    rate = band + base.mark_line(point=True).encode(y="rate:Q")
    seconds = base.mark_line(point=True).encode(
        y=alt.Y("seconds:Q", title=Message("time (s)").show(lang))
    )
    size = {"width": 320, "height": 220}
    chart = alt.hconcat(rate.properties(**size), seconds.properties(**size)).configure(font=FONT)
    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
