"""Renders a profile as one HTML page that works offline, without cell values."""

from __future__ import annotations

from markupsafe import Markup, escape

from tokumei._version import __version__
from tokumei.core.formatting import format_percent
from tokumei.core.language import Language, current_language
from tokumei.core.measure import Level
from tokumei.core.messages import SEMICOLON, Message, join_messages, join_sentences
from tokumei.pages.html import render_page
from tokumei.pages.page_parts import KeyFigure
from tokumei.pages.svg import svg_element
from tokumei.tables.profiling.column_types import COLUMN_TYPES
from tokumei.tables.profiling.normalization_rules import NORMALIZATION_RULES
from tokumei.tables.profiling.profile import ColumnProfile, TableProfile
from tokumei.tables.profiling.redaction import describe_cell_count
from tokumei.tables.profiling.report.text_report import (
    KIND_LABELS,
    ROLE_LABELS,
    applied_normalizations,
    exposure_lines,
    file_line,
    people_line,
)

PAGE_TITLE = Message("A first look")
TREATMENT_LABELS = {
    "drop": Message("dropped", context="what becomes of a column"),
    "generalize": Message("generalized", context="what becomes of a column"),
    "protect": Message("protected", context="what becomes of a column"),
    "pass": Message("passed by consent only", context="what becomes of a column"),
    "ask": Message("asked about", context="what becomes of a column"),
}
_BARS_WIDTH, _BARS_HEIGHT = 132, 34
_MAX_NOTEBOOK_COLUMNS = 20


def render_profile_page(profile: TableProfile, *, lang: Language = "en") -> str:
    """The whole page, opening in `lang`."""
    return render_page(
        "look/page.html",
        home="tokumei.tables.profiling",
        lang=lang,
        title=PAGE_TITLE,
        data={},
        styles=["look/look.css"],
        charts=False,
        found=profile,
        headline=describe_headline(profile),
        file=file_line(profile),
        people=people_line(profile),
        exposure=exposure_lines(profile),
        figures=_key_figures(profile),
        columns=[_column_row(column, profile) for column in profile.columns],
        inside=[c for c in profile.columns if c.pii],
        questions=[c for c in profile.columns if c.question],
        rules=[
            {"rule": rule, "words": NORMALIZATION_RULES[rule], "cells": cells, "columns": names}
            for rule, cells, names in applied_normalizations(profile)
        ],
        describe_pii=describe_cell_count,
        fates=TREATMENT_LABELS,
        version=__version__,
    )


def describe_headline(profile: TableProfile) -> Message:
    """The one thing to know first."""
    identifying_columns = [column for column in profile.columns if column.identifies]
    identifying_count, question_count = len(identifying_columns), len(profile.questions)
    if profile.people is False:
        return Message("No column of this file is about people")
    headline = Message("No column identifies people directly")
    if identifying_count:
        headline = Message(
            "{count} column identifies people directly",
            plural="{count} columns identify people directly",
            count=identifying_count,
        )
    if not question_count:
        return headline
    question_note = Message(
        "{count} column needs your answer",
        plural="{count} columns need your answer",
        count=question_count,
    )
    return join_messages([headline, question_note], SEMICOLON)


def _key_figures(profile: TableProfile) -> list[KeyFigure]:
    person, exposure = profile.person, profile.exposure
    people = person.people if person else profile.rows
    caption = Message("people") if person else Message("rows")
    if person and person.several:
        caption = Message("people in {rows:,} rows", rows=person.rows)
    identifying_count = sum(column.identifies for column in profile.columns)
    figures = [
        KeyFigure(f"{people:,}", None, caption),
        KeyFigure(
            f"{identifying_count} / {len(profile.columns)}",
            Level.BAD if identifying_count else None,
            Message("columns identify people by themselves"),
        ),
    ]
    if exposure is not None and profile.people is not False:
        level = Level.BAD if exposure.unique_share > 0.2 else None
        caption = Message("unique by their quasi-identifiers")
        figures.append(KeyFigure(format_percent(exposure.unique_share), level, caption))
    question_caption = Message("questions to answer")
    return [*figures, KeyFigure(f"{len(profile.questions)}", None, question_caption)]


def _column_row(column: ColumnProfile, profile: TableProfile) -> dict[str, object]:
    return {
        "column": column,
        "role": ROLE_LABELS[column.role],
        "kind": KIND_LABELS[column.kind],
        "title": COLUMN_TYPES[column.type].title,
        "fate": TREATMENT_LABELS[column.fate],
        "missing": format_percent(column.missing / max(profile.rows, 1)) if column.missing else "",
        "marks": [mark for mark in column.missing_as if mark],
        "bars": draw_histogram(column.bins),
        "shapes": list(zip(column.shapes, column.shape_shares, strict=True)),
    }


def draw_histogram(bins: tuple[int, ...]) -> Markup:
    """A histogram as a small picture; heights are shares of the highest."""
    if not bins or not max(bins):
        return Markup("")
    step = _BARS_WIDTH / len(bins)
    heights = [max(n / max(bins) * _BARS_HEIGHT, 0.6 if n else 0) for n in bins]
    rectangles = (
        svg_element(
            "rect",
            x=f"{i * step:.1f}",
            y=f"{_BARS_HEIGHT - bar_height:.1f}",
            width=f"{step - 1.5:.1f}",
            height=f"{bar_height:.1f}",
        )
        for i, bar_height in enumerate(heights)
    )
    return svg_element(
        "svg",
        *rectangles,
        class_="bars",
        viewBox=f"0 0 {_BARS_WIDTH} {_BARS_HEIGHT}",
        width=_BARS_WIDTH,
        height=_BARS_HEIGHT,
        aria_hidden="true",
    )


def render_profile_fragment(profile: TableProfile) -> str:
    """The columns as a table for a notebook, in the language in force; shapes, no values."""
    lang = current_language()
    heads = [
        Message("column"),
        Message("role"),
        Message("meaning"),
        Message("certainty"),
        Message("missing"),
        Message("shape"),
    ]
    header = "".join(f"<th>{escape(head.show(lang))}</th>" for head in heads)
    rows = ""
    for column in profile.columns[:_MAX_NOTEBOOK_COLUMNS]:
        words = (ROLE_LABELS[column.role], COLUMN_TYPES[column.type].title, column.certainty)
        cells = [column.name, *(word.show(lang) for word in words), str(column.missing)]
        cells.append(" / ".join(column.shapes[:2]))
        rows += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    above = escape(join_sentences([file_line(profile), people_line(profile)]).show(lang))
    return f"<p>{above}</p><table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"
