"""Renders the page on the choice of k: losses and people found.

write_all(choice_outputs(choice, Path("out")))    # choose.csv, choose.json, choose.svg, report.html
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.json_types import JsonObject, JsonValue
from tokumei.core.measure import Level
from tokumei.core.messages import Message, join_messages
from tokumei.files.atomic_write import Output
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
from tokumei.tables.advice.choice_summary import count_unit
from tokumei.tables.advice.k_choice import Choice
from tokumei.tables.advice.k_trials import KPoint

TITLE = Message("Which k?")
LOSS_LABEL = Message("Information lost")
QI_ATTACK_LABEL = Message("Found, knowing the QI")
ALL_ATTACK_LABEL = Message("Found, knowing all")
CAUTIONS = (
    Caution(
        Message("Advice, not law"),
        Message(
            "No law names a k or a rate. The limit is the one you gave; whoever is responsible "
            "for the release decides."
        ),
    ),
    Caution(
        Message("Attacks we know"),
        Message(
            "A rate is what the strongest of our attacks finds when it knows the columns of all "
            "people. Somebody with other knowledge may find more; most know much less."
        ),
    ),
    Caution(
        Message("Identification is not the only risk"),
        Message(
            "Where all people of a class share a sensitive value, it is known without finding "
            "anybody; l-diversity and t-closeness prevent this."
        ),
    ),
)


def choice_outputs(choice: Choice, folder: Path) -> list[Output]:
    """choose.csv, choose.json, the charts and report.html, not yet written."""
    return curve_outputs(
        "choose", _points_frame(choice), choice.as_json(), choice_page(choice), folder
    )


def choice_page(choice: Choice) -> CurvePage:
    """The page: the advice in words, all figures as lines and as a table."""
    sections = [_curve_section("choose", Message("k by k"), choice, choice.points)]
    if choice.remedy is not None:
        title = Message("The same, with {remedy}", remedy=choice.remedy.words)
        sections.append(_curve_section("remedy", title, choice, choice.remedy.points))
    return CurvePage(
        title=TITLE,
        headline=_choice_headline(choice),
        detail=choice.advice,
        facts=Message(
            "{people:,} {rows_or_people} · {method} · quasi-identifiers: {qi}",
            people=choice.people,
            rows_or_people=count_unit(choice),
            method=choice.method,
            qi=join_messages(choice.qi),
        ),
        figures=_key_figures(choice, choice.advised),
        sections=sections,
        cautions=CAUTIONS,
    )


def _choice_headline(choice: Choice) -> Message:
    advised = choice.good()
    if advised is not None:
        return Message("k = {k} keeps the limit", k=advised.k)
    remedied = choice.good(choice.remedy.points) if choice.remedy else None
    if remedied is not None:
        return Message("k alone does not help; with one more step k = {k} does", k=remedied.k)
    return Message("No k that was tried keeps the limit")


def _key_figures(choice: Choice, point: KPoint) -> list[KeyFigure]:
    is_within_limit = point.by_all.high <= choice.max_rate
    level = Level.GOOD if is_within_limit else Level.BAD
    by_all = Message("found by someone who knows all columns")
    by_qi = Message("found by someone who knows the quasi-identifiers")
    return [
        KeyFigure(f"k = {point.k}", None, Message("k shown here")),
        KeyFigure(format_percent(point.by_all.rate), level, by_all),
        KeyFigure(format_percent(point.by_qi.rate), None, by_qi),
        KeyFigure(format_percent(point.loss), None, LOSS_LABEL),
    ]


def _curve_section(
    name: str, title: Message, choice: Choice, points: Sequence[KPoint]
) -> PageSection:
    lines = LineChart(
        x=Message.verbatim("k"),
        y=Message("Share"),
        ticks=[point.k for point in points],
        names=[LOSS_LABEL, QI_ATTACK_LABEL, ALL_ATTACK_LABEL],
        limit=choice.max_rate,
    )
    panel = ChartPanel(
        name,
        Message("Loss and attacks against k"),
        Message(
            "Line chart of loss and attack rates against k; the table below holds the same figures"
        ),
        [row for point in points for row in _chart_rows(point)],
        lines.build,
    )
    return PageSection(
        name,
        title,
        Message(
            "What a release loses, and how many are found in it by the strongest attack of someone "
            "who knows the quasi-identifiers of all people, and of someone who knows every public "
            "column."
        ),
        [panel],
        _figures_table(choice, points),
        Message(
            "Small: 95 % interval, corrected for the number of attacks. Loss: mean over all "
            "columns that could be released."
        ),
    )


def _chart_rows(point: KPoint) -> list[JsonObject]:
    rates = [
        line_row(point.k, name, rate.rate, rate.low, rate.high)
        for name, rate in ((QI_ATTACK_LABEL, point.by_qi), (ALL_ATTACK_LABEL, point.by_all))
    ]
    return [line_row(point.k, LOSS_LABEL, point.loss, point.loss, point.loss), *rates]


def line_row(x: JsonValue, name: Message, y: float, low: float, high: float) -> JsonObject:
    """A point of a line and its interval, as a chart takes it."""
    return {"x": x, "y": y, "low": low, "high": high, **name.texts()}


def _figures_table(choice: Choice, points: Sequence[KPoint]) -> FigureGrid:
    advised = choice.good(points)
    header = [
        Message.verbatim("k"),
        Message("Smallest class ({rows_or_people})", rows_or_people=count_unit(choice)),
        LOSS_LABEL,
        Message("Rows kept"),
        QI_ATTACK_LABEL,
        ALL_ATTACK_LABEL,
    ]
    lines = [
        (
            Message.verbatim(str(point.k)),
            [
                FigureCell(str(point.smallest)),
                FigureCell(format_percent(point.loss)),
                FigureCell(format_percent(point.rows_kept)),
                FigureCell(
                    format_percent(point.by_qi.rate),
                    format_percent_range(point.by_qi.low, point.by_qi.high),
                ),
                FigureCell(
                    format_percent(point.by_all.rate),
                    format_percent_range(point.by_all.low, point.by_all.high),
                ),
            ],
        )
        for point in points
    ]
    chosen = [i for i, point in enumerate(points) if point is advised]
    return FigureGrid(Message("Figures"), header, lines, chosen)


def _points_frame(choice: Choice) -> pl.DataFrame:
    steps = [("", choice.points)]
    steps += [(choice.remedy.name, choice.remedy.points)] if choice.remedy else []
    return pl.DataFrame(
        [
            {
                "step": step,
                "k": point.k,
                "smallest_class": point.smallest,
                "loss": point.loss,
                "rows_kept": point.rows_kept,
                **{
                    f"{attacker}_{key}": getattr(rate, key)
                    for attacker, rate in (("qi", point.by_qi), ("all", point.by_all))
                    for key in ("attack", "rate", "low", "high")
                },
            }
            for step, points in steps
            for point in points
        ]
    )
