"""Writes the report on a price curve: table, figures, charts and page.

write_all(price_outputs(session.problem(), value_curve(session, range(2, 51)), folder))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tokumei.apps.price.problem import PriceProblem
from tokumei.apps.price.report.charts import curve_panel, pattern_panel
from tokumei.apps.price.summary_tables import count_candidates, pattern_table, summarize_problem
from tokumei.apps.price.value_curves import CurvePoint
from tokumei.core.errors import UsageError
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message, join_sentences
from tokumei.files.atomic_write import Output
from tokumei.pages.curve_page import CurvePage, FigureCell, FigureGrid, PageSection, curve_outputs
from tokumei.pages.page_parts import Caution, KeyFigure

PRICE_CAUTIONS = (
    Caution(
        Message("A price is not an offer"),
        Message(
            "Values are what advertisers bid for a word, times people. They compare recodings; "
            "they are not what a data set sells for."
        ),
    ),
    Caution(
        Message("Prices change"),
        Message(
            "Bids change daily. The command “tokumei price diff” shows what a new price list "
            "changes."
        ),
    ),
    Caution(
        Message("k counts these columns only"),
        Message("Whoever knows more about a person than these columns may still find them."),
    ),
)

UNPROVEN_NOTE = Message("?: not proven to be the best.")


def price_outputs(
    problem: PriceProblem, points: Sequence[CurvePoint], folder: str | Path
) -> list[Output]:
    """curve.csv, curve.json, a picture per chart and report.html, not yet written."""
    if not points:
        raise UsageError("there is no answer for any k")
    curve_data = {
        "points": [point.as_json() for point in points],
        "tables": summarize_problem(problem),
    }
    return curve_outputs(
        "curve", _curve_frame(points), curve_data, price_page(problem, points), folder
    )


def price_page(problem: PriceProblem, points: Sequence[CurvePoint]) -> CurvePage:
    """The page: what k costs, and what single patterns are worth."""
    first = points[0]
    shown_points = [first, points[-1]] if len(points) > 1 else [first]
    return CurvePage(
        title=Message("What is the data worth?"),
        headline=Message(
            "With k = {k} the best recoding is worth {currency} {value:,.0f}",
            k=first.asked_k,
            currency=problem.currency,
            value=first.answer["value"],
        ),
        detail=_describe_curve_end(problem, points),
        facts=Message(
            "{people:,} people, {attributes} attributes, {recodings:,} recodings to choose from",
            people=problem.rows,
            attributes=len(problem.attributes),
            recodings=count_candidates(problem),
        ),
        figures=[_share_figure(point) for point in shown_points],
        sections=[_curve_section(problem, points), _pattern_section(problem)],
        cautions=PRICE_CAUTIONS,
    )


def _describe_curve_end(problem: PriceProblem, points: Sequence[CurvePoint]) -> Message:
    """Describe the value at the largest k, and whether all answers are proven optimal."""
    proven = Message(
        "Every point is the recoding with the highest value: no other one is worth more."
    )
    if not _all_proven(points):
        proven = Message(
            "Every point is the recoding with the highest value; where the table has a “?” it is "
            "the best one found."
        )
    if len(points) == 1:
        return proven
    last = points[-1]
    end = Message(
        "With k = {k} it is {currency} {value:,.0f}.",
        k=last.asked_k,
        currency=problem.currency,
        value=last.answer["value"],
    )
    return join_sentences([end, proven])


def _all_proven(points: Sequence[CurvePoint]) -> bool:
    return all(point.answer["optimal"] for point in points)


def _share_figure(point: CurvePoint) -> KeyFigure:
    ratio, k = point.answer["ratio"], point.asked_k
    caption = Message("of the original value, k = {k}", k=k)
    return KeyFigure("–" if ratio is None else format_percent(ratio), None, caption)


def _curve_section(problem: PriceProblem, points: Sequence[CurvePoint]) -> PageSection:
    names = [
        attribute.name
        for attribute in problem.attributes
        if attribute.name in points[0].answer["choice"]
    ]
    header = [
        Message.verbatim("k"),
        _value_heading(problem),
        Message("k reached"),
        *(Message.verbatim(name) for name in names),
    ]
    lines = [
        (
            Message.verbatim(str(point.asked_k)),
            [
                FigureCell(f"{point.answer['value']:,.0f}", "" if point.answer["optimal"] else "?"),
                FigureCell(f"{point.answer['k']:,}"),
                *(FigureCell(point.answer["choice"][name]) for name in names),
            ],
        )
        for point in points
    ]
    return PageSection(
        "curve",
        Message("Value against k"),
        Message("A larger k never allows more recodings, so the highest value never rises."),
        [curve_panel(points, problem.currency)],
        FigureGrid(Message("The best recoding for every k"), header, lines),
        None if _all_proven(points) else UNPROVEN_NOTE,
    )


def _value_heading(problem: PriceProblem) -> Message:
    """The heading of values, with their unit."""
    return Message("Value ({currency})", currency=problem.currency)


def _pattern_section(problem: PriceProblem) -> PageSection:
    header = [
        Message("Pattern"),
        Message("Words"),
        Message("k alone"),
        Message("Largest"),
        Message("Mean"),
        Message("SD"),
        _value_heading(problem),
    ]
    lines = [
        (
            Message.verbatim(f"{pattern_line.attribute} / {pattern_line.pattern}"),
            [
                FigureCell(text)
                for text in (
                    f"{pattern_line.words:,}",
                    f"{pattern_line.k:,}",
                    f"{pattern_line.largest:,}",
                    f"{pattern_line.mean:,.0f}",
                    f"{pattern_line.sd:,.0f}",
                    f"{pattern_line.value:,.0f}",
                )
            ],
        )
        for pattern_line in pattern_table(problem)
    ]
    return PageSection(
        "patterns",
        Message("Patterns"),
        Message(
            "A coarser pattern is not always worth less: advertisers bid for words people use."
        ),
        [pattern_panel(problem, by="k"), pattern_panel(problem, by="words")],
        FigureGrid(Message("Every pattern alone"), header, lines),
    )


def _curve_frame(points: Sequence[CurvePoint]) -> pl.DataFrame:
    rows = [
        {
            "k": point.asked_k,
            "value": point.answer["value"],
            "ratio": point.answer["ratio"],
            "k_reached": point.answer["k"],
            "words": point.words,
            "suppressed": point.answer["suppressed"],
            "optimal": point.answer["optimal"],
            **point.answer["choice"],
        }
        for point in points
    ]
    return pl.DataFrame(rows, infer_schema_length=None)
