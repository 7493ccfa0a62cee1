"""Writes the report on unicity: table, figures, charts, page.

write_all(unicity_outputs(unicity(history), "out"))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output
from tokumei.kernels.unicity.unicity import Unicity
from tokumei.report.curve_page import (
    ChartPanel,
    CurvePage,
    FigureCell,
    FigureGrid,
    PageSection,
    curve_outputs,
)
from tokumei.report.line_chart import LineChart
from tokumei.report.page_parts import Caution, KeyFigure

COLUMN_LABELS = {
    "item": Message("item", "商品"),
    "day": Message("day", "日"),
    "week": Message("week", "週"),
    "month": Message("month", "月"),
    "price": Message("price", "単価"),
    "quantity": Message("quantity", "数量"),
    "time": Message("time", "時刻"),
}
CAUTIONS = (
    Caution(
        Message(
            "Being singled out is not being named", "一人に絞られることと、名前が分かることは違う"
        ),
        Message(
            "It means that the points fit one customer only. Anyone who knows them of a person can "
            "tell "
            "which history is that person’s, and then reads the rest of it.",
            "一意とは、その点に当てはまる顧客が一人しかいないことです。ある人の点を知る人は、"
            "どの履歴がその人のものか分かり、残りの購買もすべて読めてしまいます。",
        ),
    ),
    Caution(
        Message("These points are exact", "点は正確なものとする"),
        Message(
            "Nothing is changed here, and what is known is right. Noise in the data or in the "
            "memory lowers the share; attacks on a release say by how much.",
            "ここではデータを加工せず、知識にも誤りがないものとします。データや記憶に誤差があれば"
            "割合は下がります。どれだけ下がるかは、匿名加工データへの攻撃で確かめてください。",
        ),
    ),
    Caution(
        Message("More points, fewer customers", "点が増えると対象は減る"),
        Message(
            "The share for p points is about customers who have at least p different ones. "
            "Customers "
            "with few purchases leave the curve as it moves to the right.",
            "p 点の割合は、異なる点が p 個以上ある顧客についてのものです。"
            "購買の少ない顧客は、グラフの右へ行くほど対象から外れます。",
        ),
    ),
)


def unicity_outputs(results: Sequence[Unicity], folder: str | Path) -> list[Output]:
    """unicity.csv, unicity.json, unicity.svg and report.html, not yet written."""
    rows = [result.as_json() for result in results]
    return curve_outputs("unicity", pl.DataFrame(rows), rows, unicity_page(results), folder)


def unicity_page(results: Sequence[Unicity]) -> CurvePage:
    """The page: the finest granularity in words, all as lines and figures."""
    first = [result for result in results if result.by == results[0].by]
    most = max(first, key=lambda result: result.points)
    point_description = describe_granularity(most.by)
    return CurvePage(
        title=Message("Unicity", "一意性"),
        headline=_describe_unicity(most, point_description),
        detail=Message(
            f"Somebody who knows that many purchases of a person ({point_description.en}) finds "
            f"one history "
            "that fits, and no other.",
            f"ある人の購買をそれだけ知っていれば ({point_description.ja})、当てはまる履歴は一つに"
            f"決まります。",
        ),
        facts=Message(
            f"{most.of_customers:,} customers · 95 % Wilson intervals over the customers",
            f"顧客 {most.of_customers:,} 人・顧客についての 95 % ウィルソン区間",
        ),
        figures=[_key_figure(result, point_description) for result in first[:4]],
        sections=[_unicity_section(results)],
        cautions=CAUTIONS,
    )


def describe_granularity(by: str) -> Message:
    """`item:2,month` in words."""
    parts = [part.strip().partition(":") for part in by.split(",")]
    words = [(COLUMN_LABELS.get(name, Message(name, name)), width) for name, _, width in parts]
    english = [f"{word.en} ({width} characters)" if width else word.en for word, width in words]
    japanese = [f"{word.ja}の先頭{width}字" if width else word.ja for word, width in words]
    return Message(" and ".join(english), "・".join(japanese))


def _describe_unicity(result: Unicity, known: Message) -> Message:
    share = format_percent(result.share)
    purchases = "One known purchase" if result.points == 1 else f"{result.points} known purchases"
    verb = "singles" if result.points == 1 else "single"
    return Message(
        f"{purchases} ({known.en}) {verb} out {share} of the customers",
        f"購買 {result.points} 件 ({known.ja}) を知られると、顧客の {share} が一人に絞られる",
    )


def _key_figure(result: Unicity, known: Message) -> KeyFigure:
    plural = "s" if result.points > 1 else ""
    caption = Message(
        f"singled out by {result.points} point{plural} ({known.en})",
        f"{result.points} 点で一意 ({known.ja})",
    )
    return KeyFigure(format_percent(result.share), None, caption)


def _unicity_section(results: Sequence[Unicity]) -> PageSection:
    steps = sorted({result.points for result in results})
    draws = max(result.draws for result in results)
    names = {by: describe_granularity(by) for by in dict.fromkeys(result.by for result in results)}
    lines = LineChart(
        x=Message("Known points", "知られている点の数"),
        y=Message("Customers singled out", "一意な顧客の割合"),
        ticks=steps,
        names=list(names.values()),
    )
    panel = ChartPanel(
        "unicity",
        Message("Singled out by p known points", "既知の p 点で一意になる顧客"),
        Message(
            "Line chart of the share singled out against the number of known points; the table "
            "below holds the same figures",
            "知られている点の数に対する一意な顧客の割合の折れ線グラフ。同じ値は下の表にあります",
        ),
        [_chart_row(result, names[result.by]) for result in results],
        lines.build,
    )
    return PageSection(
        "points",
        Message("What a few known purchases reveal", "わずかな購買の知識で何が分かるか"),
        Message(
            "A point is what is known of one purchase. The coarser it is, the more people share it "
            "– but a few of them together soon fit only one person.",
            "点とは、一回の購買について知られていることです。粗いほど多くの人に共通しますが、"
            "いくつか重なると、すぐに一人だけのものになります。",
        ),
        [panel],
        _unicity_grid(results, names, steps),
        Message(
            f"Small: 95 % interval. {draws} draws per customer; with one point the share is exact.",
            f"小さい数字は 95 % 区間。顧客ごとに {draws} 回抽出。1 点の割合は厳密な値です。",
        ),
    )


def _chart_row(result: Unicity, name: Message) -> dict[str, object]:
    figures = {"x": result.points, "y": result.share, "low": result.low, "high": result.high}
    return {**figures, "en": name.en, "ja": name.ja}


def _unicity_grid(
    results: Sequence[Unicity], names: dict[str, Message], steps: Sequence[int]
) -> FigureGrid:
    result_by_point = {(result.by, result.points): result for result in results}
    lines = [
        (name, [_share_cell(result_by_point.get((by, points))) for points in steps])
        for by, name in names.items()
    ]
    header = [
        Message("Known of a purchase", "購買について知られていること"),
        *(Message(f"{points} point{'s' * (points > 1)}", f"{points} 点") for points in steps),
    ]
    return FigureGrid(Message("Share singled out", "一意な顧客の割合"), header, lines)


def _share_cell(result: Unicity | None) -> FigureCell:
    """A share with its interval; a dash where nobody has so many points."""
    if result is None:
        return FigureCell("–")
    return FigureCell(format_percent(result.share), format_percent_range(result.low, result.high))
