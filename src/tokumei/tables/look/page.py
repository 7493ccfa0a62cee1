"""A look as one HTML page that works offline, in English and Japanese, without any cell value."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup, escape

from tokumei._version import __version__
from tokumei.core.figures import percent
from tokumei.core.measure import Level
from tokumei.core.text import Language, Text, current_language
from tokumei.report.html import render_page
from tokumei.report.words import KeyFigure
from tokumei.tables.look.listing import (
    KINDS,
    ROLES,
    bare,
    exposure_lines,
    file_line,
    people_line,
    rules_used,
)
from tokumei.tables.look.result import Look, LookColumn
from tokumei.tables.look.rules import RULES
from tokumei.tables.look.types import TYPES

TITLE = Text("A first look", "はじめの確認")
FATE_WORDS = {
    "drop": Text("dropped", "落とす"),
    "generalize": Text("generalized", "一般化する"),
    "protect": Text("protected", "保護する"),
    "pass": Text("passed by consent only", "同意があれば残す"),
    "ask": Text("asked about", "確認する"),
}
_WIDE, _HIGH = 132, 34
_NOTEBOOK_COLUMNS = 20


def render_look(found: Look, *, lang: Language = "en") -> str:
    """The whole page, opening in `lang`."""
    return render_page(
        "look/page.html",
        home="tokumei.tables.look",
        lang=lang,
        title=TITLE,
        data={},
        styles=["look/look.css"],
        charts=False,
        found=found,
        headline=headline(found),
        file=file_line(found),
        people=people_line(found),
        exposure=exposure_lines(found),
        figures=_figures(found),
        columns=[_row(column, found) for column in found.columns],
        inside=[c for c in found.columns if c.pii],
        questions=[c for c in found.columns if c.question],
        rules=[
            {"rule": rule, "words": RULES[rule], "cells": cells, "columns": names}
            for rule, cells, names in rules_used(found)
        ],
        types={name: Text(bare(one.title.en), one.title.ja) for name, one in TYPES.items()},
        fates=FATE_WORDS,
        version=__version__,
    )


def headline(found: Look) -> Text:
    """The one thing to know first."""
    known = [column for column in found.columns if column.identifies]
    number, asked = len(known), len(found.questions)
    if found.people is False:
        return Text("No column of this file is about people", "人に関する列は見つかりません")
    ask = (
        Text(f"; {asked} must be asked about", f"（要確認 {asked} 列）") if asked else Text("", "")
    )
    if not number:
        return Text(
            f"No column says who people are{ask.en}",
            f"個人を直接特定する列は見つかりません{ask.ja}",
        )
    verb = "column says" if number == 1 else "columns say"
    return Text(
        f"{number} {verb} who people are{ask.en}",
        f"個人を直接特定する列が {number} 列あります{ask.ja}",
    )


def _figures(found: Look) -> list[KeyFigure]:
    person, one = found.person, found.exposure
    people = person.people if person else found.rows
    caption = Text("people", "人") if person else Text("rows", "行")
    if person and person.several:
        caption = Text(f"people in {person.rows:,} rows", f"人（{person.rows:,} 行）")
    known = sum(column.identifies for column in found.columns)
    figures = [
        KeyFigure(f"{people:,}", None, caption),
        KeyFigure(
            f"{known} / {len(found.columns)}",
            Level.BAD if known else None,
            Text("columns identify by themselves", "単独で個人を特定する列"),
        ),
    ]
    if one is not None and found.people is not False:
        level = Level.BAD if one.unique_share > 0.2 else None
        caption = Text("alone with their quasi-identifiers", "準識別子の組が本人だけの人")
        figures.append(KeyFigure(percent(one.unique_share), level, caption))
    asked = Text("questions to answer", "確認が必要な列")
    return [*figures, KeyFigure(f"{len(found.questions)}", None, asked)]


def _row(column: LookColumn, found: Look) -> dict[str, Any]:
    return {
        "column": column,
        "role": ROLES[column.role],
        "kind": KINDS[column.kind],
        "title": TYPES[column.type].title,
        "fate": FATE_WORDS[column.fate],
        "missing": percent(column.missing / max(found.rows, 1)) if column.missing else "",
        "marks": [mark for mark in column.missing_as if mark],
        "bars": bars(column.bins),
        "shapes": list(zip(column.shapes, column.shape_shares, strict=True)),
    }


def bars(bins: tuple[int, ...]) -> Markup:
    """A histogram as a small picture; heights are shares of the highest."""
    if not bins or not max(bins):
        return Markup("")
    step = _WIDE / len(bins)
    drawn = Markup("").join(
        Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
            i * step, _HIGH - tall, step - 1.5, tall
        )
        for i, tall in enumerate(max(n / max(bins) * _HIGH, 0.6 if n else 0) for n in bins)
    )
    size = Markup('viewBox="0 0 {} {}" width="{}" height="{}"').format(_WIDE, _HIGH, _WIDE, _HIGH)
    return Markup('<svg class="bars" {} aria-hidden="true">{}</svg>').format(size, drawn)


def look_fragment(found: Look) -> str:
    """The columns as a table for a notebook, in the language in force; shapes, no values."""
    lang = current_language()
    heads = [Text("column", "列"), Text("role", "役割"), Text("meaning", "意味"),
             Text("certainty", "確度"), Text("missing", "欠損"), Text("shape", "形")]  # fmt: skip
    header = "".join(f"<th>{escape(head.show(lang))}</th>" for head in heads)
    rows = ""
    for one in found.columns[:_NOTEBOOK_COLUMNS]:
        words = (ROLES[one.role], TYPES[one.type].title, one.certainty)
        cells = [one.name, *(word.show(lang) for word in words), str(one.missing)]
        cells.append(" / ".join(one.shapes[:2]))
        rows += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    above = escape(f"{file_line(found).show(lang)} {people_line(found).show(lang)}")
    return f"<p>{above}</p><table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"
