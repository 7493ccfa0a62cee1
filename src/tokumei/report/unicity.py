"""What unicity leaves in a folder: table, figures, pictures and page.

write_all(unicity_outputs(unicity(history), "out"))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from tokumei.core.figures import percent, percent_range
from tokumei.core.text import Text
from tokumei.files.atomic import Output
from tokumei.kernels.unicity.unicity import Unicity
from tokumei.report.curve_page import Cell, CurvePage, Grid, Panel, Section, curve_outputs
from tokumei.report.lines import Lines
from tokumei.report.words import Caution, KeyFigure

WORDS = {
    "item": Text("item", "商品"),
    "day": Text("day", "日"),
    "week": Text("week", "週"),
    "month": Text("month", "月"),
    "price": Text("price", "単価"),
    "quantity": Text("quantity", "数量"),
    "time": Text("time", "時刻"),
}
CAUTIONS = (
    Caution(
        Text(
            "Being singled out is not being named", "一人に絞られることと、名前が分かることは違う"
        ),
        Text(
            "It means that the points fit one customer only. Anyone who knows them of a person can "
            "tell "
            "which history is that person’s, and then reads the rest of it.",
            "一意とは、その点に当てはまる顧客が一人しかいないことです。ある人の点を知る人は、"
            "どの履歴がその人のものか分かり、残りの購買もすべて読めてしまいます。",
        ),
    ),
    Caution(
        Text("These points are exact", "点は正確なものとする"),
        Text(
            "Nothing is changed here, and what is known is right. Noise in the data or in the "
            "memory lowers the share; attacks on a release say by how much.",
            "ここではデータを加工せず、知識にも誤りがないものとします。データや記憶に誤差があれば"
            "割合は下がります。どれだけ下がるかは、匿名加工データへの攻撃で確かめてください。",
        ),
    ),
    Caution(
        Text("More points, fewer customers", "点が増えると対象は減る"),
        Text(
            "The share for p points is about customers who have at least p different ones. "
            "Customers "
            "with few purchases leave the curve as it moves to the right.",
            "p 点の割合は、異なる点が p 個以上ある顧客についてのものです。"
            "購買の少ない顧客は、グラフの右へ行くほど対象から外れます。",
        ),
    ),
)


def unicity_outputs(found: Sequence[Unicity], folder: str | Path) -> list[Output]:
    """unicity.csv, unicity.json, unicity.svg and report.html, not yet written."""
    rows = [one.as_json() for one in found]
    return curve_outputs("unicity", pl.DataFrame(rows), rows, unicity_page(found), folder)


def unicity_page(found: Sequence[Unicity]) -> CurvePage:
    """The page: the finest granularity in words, all as lines and figures."""
    first = [one for one in found if one.by == found[0].by]
    most = max(first, key=lambda one: one.points)
    known = granularity(most.by)
    return CurvePage(
        title=Text("Unicity", "一意性"),
        headline=_headline(most, known),
        detail=Text(
            f"Somebody who knows that many purchases of a person ({known.en}) finds one history "
            "that fits, and no other.",
            f"ある人の購買をそれだけ知っていれば ({known.ja})、当てはまる履歴は一つに決まります。",
        ),
        facts=Text(
            f"{most.of_customers:,} customers · 95 % Wilson intervals over the customers",
            f"顧客 {most.of_customers:,} 人・顧客についての 95 % ウィルソン区間",
        ),
        figures=[_key(one, known) for one in first[:4]],
        sections=[_section(found)],
        cautions=CAUTIONS,
    )


def granularity(by: str) -> Text:
    """`item:2,month` in words."""
    parts = [part.strip().partition(":") for part in by.split(",")]
    words = [(WORDS.get(name, Text(name, name)), width) for name, _, width in parts]
    english = [f"{word.en} ({width} characters)" if width else word.en for word, width in words]
    japanese = [f"{word.ja}の先頭{width}字" if width else word.ja for word, width in words]
    return Text(" and ".join(english), "・".join(japanese))


def _headline(one: Unicity, known: Text) -> Text:
    share = percent(one.share)
    purchases = "One known purchase" if one.points == 1 else f"{one.points} known purchases"
    verb = "singles" if one.points == 1 else "single"
    return Text(
        f"{purchases} ({known.en}) {verb} out {share} of the customers",
        f"購買 {one.points} 件 ({known.ja}) を知られると、顧客の {share} が一人に絞られる",
    )


def _key(one: Unicity, known: Text) -> KeyFigure:
    plural = "s" if one.points > 1 else ""
    caption = Text(
        f"singled out by {one.points} point{plural} ({known.en})",
        f"{one.points} 点で一意 ({known.ja})",
    )
    return KeyFigure(percent(one.share), None, caption)


def _section(found: Sequence[Unicity]) -> Section:
    steps = sorted({one.points for one in found})
    draws = max(one.draws for one in found)
    names = {by: granularity(by) for by in dict.fromkeys(one.by for one in found)}
    lines = Lines(
        x=Text("Known points", "知られている点の数"),
        y=Text("Customers singled out", "一意な顧客の割合"),
        ticks=steps,
        names=list(names.values()),
    )
    panel = Panel(
        "unicity",
        Text("Singled out by p known points", "既知の p 点で一意になる顧客"),
        Text(
            "Line chart of the share singled out against the number of known points; the table "
            "below holds the same figures",
            "知られている点の数に対する一意な顧客の割合の折れ線グラフ。同じ値は下の表にあります",
        ),
        [_row(one, names[one.by]) for one in found],
        lines.build,
    )
    return Section(
        "points",
        Text("What a few known purchases reveal", "わずかな購買の知識で何が分かるか"),
        Text(
            "A point is what is known of one purchase. The coarser it is, the more people share it "
            "– but a few of them together soon fit only one person.",
            "点とは、一回の購買について知られていることです。粗いほど多くの人に共通しますが、"
            "いくつか重なると、すぐに一人だけのものになります。",
        ),
        [panel],
        _grid(found, names, steps),
        Text(
            f"Small: 95 % interval. {draws} draws per customer; with one point the share is exact.",
            f"小さい数字は 95 % 区間。顧客ごとに {draws} 回抽出。1 点の割合は厳密な値です。",
        ),
    )


def _row(one: Unicity, name: Text) -> dict[str, Any]:
    figures = {"x": one.points, "y": one.share, "low": one.low, "high": one.high}
    return {**figures, "en": name.en, "ja": name.ja}


def _grid(found: Sequence[Unicity], names: dict[str, Text], steps: Sequence[int]) -> Grid:
    at = {(one.by, one.points): one for one in found}
    lines = [
        (name, [_cell(at.get((by, points))) for points in steps]) for by, name in names.items()
    ]
    header = [
        Text("Known of a purchase", "購買について知られていること"),
        *(Text(f"{points} point{'s' * (points > 1)}", f"{points} 点") for points in steps),
    ]
    return Grid(Text("Share singled out", "一意な顧客の割合"), header, lines)


def _cell(one: Unicity | None) -> Cell:
    """A share with its interval; a dash where nobody has so many points."""
    if one is None:
        return Cell("–")
    return Cell(percent(one.share), percent_range(one.low, one.high))
