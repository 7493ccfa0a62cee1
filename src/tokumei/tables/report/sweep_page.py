"""The page and pictures of a sweep over a table: loss and risk as lines, figures as a table.

write_all(sweep_outputs(sweeps, Path("out")))   # sweep.csv, sweep.json, sweep.svg, report.html
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import altair as alt
import polars as pl
import vl_convert

from tokumei.core.figures import percent
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.core.text import Language, Text
from tokumei.files.atomic import Output
from tokumei.report.curve_page import Cell, CurvePage, Grid, Panel, Section, page_outputs
from tokumei.report.lines import Lines
from tokumei.report.sweeps import figure_outputs
from tokumei.report.words import KeyFigure
from tokumei.tables.report.choice import CAUTIONS, line_row
from tokumei.tables.suite import CurvePoint

LOSS = Text("Loss", "損失")
RISK = Text("Found by the strongest attack", "最も強い攻撃による特定")
BY_QI = Text("Found by the QI alone", "準識別子だけで特定")


def sweep_outputs(sweeps: Sequence[Sweep], folder: Path) -> list[Output]:
    """The figures, the charts and the page, not yet written."""
    return [
        *figure_outputs({one.label: one for one in sweeps}, folder),
        *page_outputs(sweep_page(sweeps), folder),
    ]


def sweep_page(sweeps: Sequence[Sweep]) -> CurvePage:
    """The page: the smallest sum of each method in words, all releases as lines and figures."""
    first = min(sweeps, key=lambda one: one.best.total)
    best = first.best
    return CurvePage(
        title=Text("Loss and risk of a table", "表の損失とリスク"),
        headline=Text(
            f"{first.method} with {first.parameter} = {best.value} has the smallest sum",
            f"合計が最小なのは {first.method}、{first.parameter} = {best.value}",
        ),
        detail=Text(
            f"It loses {percent(best.loss)} and the strongest attack finds {percent(best.risk)}. "
            "Loss and risk have different units: the sum is a convention.",
            f"損失は {percent(best.loss)}、最も強い攻撃が特定するのは {percent(best.risk)} です。"
            "損失とリスクは単位が異なり、合計は便宜上の値です。",
        ),
        facts=Text(
            f"{sum(len(one.points) for one in sweeps)} releases",
            f"匿名加工データ {sum(len(one.points) for one in sweeps)} 件",
        ),
        figures=[
            KeyFigure(percent(best.loss), None, LOSS),
            KeyFigure(percent(best.risk), None, RISK),
        ],
        sections=[_section(number, one) for number, one in enumerate(sweeps, 1)],
        cautions=CAUTIONS,
    )


def _section(number: int, found: Sweep) -> Section:
    name = "sweep" if number == 1 else f"sweep-{number}"
    lines = Lines(
        x=Text(found.parameter, found.parameter),
        y=Text("Share", "割合"),
        ticks=[point.value for point in found.points],
        names=[LOSS, BY_QI, RISK],
    )
    heading = Text(found.label, found.label)
    panel = Panel(
        name,
        heading,
        Text(
            "Line chart of loss and risk; the table below holds the same figures",
            "損失とリスクの折れ線グラフ。同じ値は下の表にあります",
        ),
        [
            line_row(point.value, name, y, y, y)
            for point in found.points
            for name, y in _figures(point)
        ],
        lines.build,
    )
    intro = Text(
        "What every release loses, and what the strongest of the attacks finds in it.",
        "それぞれの匿名加工データの損失と、最も強い攻撃が特定する割合です。",
    )
    return Section(name, heading, intro, [panel], _grid(found))


def _figures(point: SweepPoint) -> list[tuple[Text, float]]:
    return [(LOSS, point.loss), (BY_QI, point.measured["knows_qi"]), (RISK, point.risk)]


def _grid(found: Sweep) -> Grid:
    attacks = [name for name in found.points[0].measured if name.startswith("attack_")]
    names = [Text(one.removeprefix("attack_"), one.removeprefix("attack_")) for one in attacks]
    kept = Text("Rows kept", "残った行")
    header = [Text(found.parameter, found.parameter), LOSS, BY_QI, RISK, kept, *names]
    lines = [
        (
            Text(str(point.value), str(point.value)),
            [
                *(Cell(percent(x)) for _, x in _figures(point)),
                Cell(percent(point.rows_kept)),
                *(Cell(percent(point.measured[name])) for name in attacks),
            ],
        )
        for point in found.points
    ]
    chosen = [i for i, point in enumerate(found.points) if point is found.best]
    return Grid(Text("Figures", "数値"), header, lines, chosen)


AXES = {
    "qi": Text("number of QI used |q|", "用いる準識別子の数 |q|"),
    "sa": Text("number of SA used |s|", "用いる機密属性の数 |s|"),
    "rows": Text("number of rows", "行数"),
}
FONT = '"Hiragino Sans","Noto Sans JP","Noto Sans CJK JP","Yu Gothic UI",Meiryo,sans-serif'


def curve_svg(points: Sequence[CurvePoint], lang: Language) -> str:
    """Rate (with interval) and time, side by side, as SVG text."""
    frame = pl.DataFrame([point.as_json() for point in points])
    base = alt.Chart(frame).encode(
        x=alt.X("used:Q", title=AXES[points[0].by].show(lang), axis=alt.Axis(tickMinStep=1)),
        color=alt.Color("attack:N", title=Text("attack", "攻撃").show(lang)),
    )
    band = base.mark_area(opacity=0.15).encode(
        y=alt.Y("low:Q", title=Text("success rate", "再識別率").show(lang)), y2="high:Q"
    )
    rate = band + base.mark_line(point=True).encode(y="rate:Q")
    seconds = base.mark_line(point=True).encode(
        y=alt.Y("seconds:Q", title=Text("time (s)", "計算時間（秒）").show(lang))
    )
    size = {"width": 320, "height": 220}
    chart = alt.hconcat(rate.properties(**size), seconds.properties(**size)).configure(font=FONT)
    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
