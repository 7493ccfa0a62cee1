"""Writes the report on unicity: table, figures, charts, page.

write_all(unicity_outputs(unicity(history), "out"))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.messages import Message, join_messages
from tokumei.files.atomic_write import Output
from tokumei.kernels.unicity.unicity import Unicity
from tokumei.pages.curve_page import (
    ChartPanel,
    CurvePage,
    FigureCell,
    FigureGrid,
    PageSection,
    curve_outputs,
)
from tokumei.pages.line_chart import LineChart
from tokumei.pages.page_parts import Caution, KeyFigure

COLUMN_LABELS = {
    "item": Message("item"),
    "day": Message("day"),
    "week": Message("week"),
    "month": Message("month"),
    "price": Message("price"),
    "quantity": Message("quantity"),
    "time": Message("time"),
}
COLUMN_AND = Message(" and ", context="between the columns of a point")
CAUTIONS = (
    Caution(
        Message("Being singled out is not being named"),
        Message(
            "It means that the points fit one customer only. Anyone who knows them of a person can "
            "tell which history is that person’s, and then reads the rest of it."
        ),
    ),
    Caution(
        Message("These points are exact"),
        Message(
            "Nothing is changed here, and what is known is right. Noise in the data or in the "
            "memory lowers the share; attacks on a release say by how much."
        ),
    ),
    Caution(
        Message("More points, fewer customers"),
        Message(
            "The share for p points is about customers who have at least p different ones. "
            "Customers with few purchases leave the curve as it moves to the right."
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
        title=Message("Unicity"),
        headline=_describe_unicity(most, point_description),
        detail=Message(
            "Somebody who knows that many purchases of a person ({known}) finds one history that "
            "fits, and no other.",
            known=point_description,
        ),
        facts=Message(
            "{customers:,} customers · 95 % Wilson intervals over the customers",
            customers=most.of_customers,
        ),
        figures=[_key_figure(result, point_description) for result in first[:4]],
        sections=[_unicity_section(results)],
        cautions=CAUTIONS,
    )


def describe_granularity(by: str) -> Message:
    """`item:2,month` in words."""
    parts = [part.strip().partition(":") for part in by.split(",")]
    return join_messages((_describe_column(name, width) for name, _, width in parts), COLUMN_AND)


def _describe_column(name: str, width: str) -> Message:
    """A column, or its first characters, up to a number of them."""
    label = COLUMN_LABELS.get(name, Message.verbatim(name))
    if not width:
        return label
    return Message(
        "{column} ({count} character)",
        plural="{column} ({count} characters)",
        count=int(width),
        column=label,
    )


def _describe_unicity(result: Unicity, known: Message) -> Message:
    return Message(
        "One known purchase ({known}) singles out {share:percent} of the customers",
        plural="{count} known purchases ({known}) single out {share:percent} of the customers",
        count=result.points,
        known=known,
        share=result.share,
    )


def _key_figure(result: Unicity, known: Message) -> KeyFigure:
    caption = Message(
        "singled out by {count} point ({known})",
        plural="singled out by {count} points ({known})",
        count=result.points,
        known=known,
    )
    return KeyFigure(format_percent(result.share), None, caption)


def _unicity_section(results: Sequence[Unicity]) -> PageSection:
    steps = sorted({result.points for result in results})
    draws = max(result.draws for result in results)
    names = {by: describe_granularity(by) for by in dict.fromkeys(result.by for result in results)}
    lines = LineChart(
        x=Message("Known points"),
        y=Message("Customers singled out"),
        ticks=steps,
        names=list(names.values()),
    )
    panel = ChartPanel(
        "unicity",
        Message("Singled out by p known points"),
        Message(
            "Line chart of the share singled out against the number of known points; the table "
            "below holds the same figures"
        ),
        [_chart_row(result, names[result.by]) for result in results],
        lines.build,
    )
    return PageSection(
        "points",
        Message("What a few known purchases reveal"),
        Message(
            "A point is what is known of one purchase. The coarser it is, the more people share it "
            "– but a few of them together soon fit only one person."
        ),
        [panel],
        _unicity_grid(results, names, steps),
        Message(
            "Small: 95 % interval. {draws} draws per customer; with one point the share is exact.",
            draws=draws,
        ),
    )


def _chart_row(result: Unicity, name: Message) -> dict[str, object]:
    figures = {"x": result.points, "y": result.share, "low": result.low, "high": result.high}
    return {**figures, **name.texts()}


def _unicity_grid(
    results: Sequence[Unicity], names: dict[str, Message], steps: Sequence[int]
) -> FigureGrid:
    result_by_point = {(result.by, result.points): result for result in results}
    lines = [
        (name, [_share_cell(result_by_point.get((by, points))) for points in steps])
        for by, name in names.items()
    ]
    header = [
        Message("Known of a purchase"),
        *(Message("{count} point", plural="{count} points", count=points) for points in steps),
    ]
    return FigureGrid(Message("Share singled out"), header, lines)


def _share_cell(result: Unicity | None) -> FigureCell:
    """A share with its interval; a dash where nobody has so many points."""
    if result is None:
        return FigureCell("–")
    return FigureCell(format_percent(result.share), format_percent_range(result.low, result.high))
