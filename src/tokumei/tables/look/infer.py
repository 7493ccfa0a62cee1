"""What a column means: by unmistakable cells, by its name if the cells agree, by cells alone.

From that follow its role, its kind, and what happens to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from tokumei.core.text import Text
from tokumei.core.written.dates import Style
from tokumei.tables.look import fits_people, fits_values
from tokumei.tables.look.by_values import by_values, row_order, sexes, unmistakable
from tokumei.tables.look.cell_signs import NUMBERED
from tokumei.tables.look.column_cells import WHOLE_ENOUGH, ColumnCells
from tokumei.tables.look.header_tokens import read_header
from tokumei.tables.look.meaning import announced
from tokumei.tables.look.types import FATES, TYPES

_RULES = {**fits_people.RULES, **fits_values.RULES}
_FORMED = {
    "phone": (*NUMBERED, "jan", "code", "id", "key", "number"),
    "url": ("category", "free_text"),
    "address": ("free_text", "organization", "city", "store", "diagnosis", "item"),
    "card": (*NUMBERED, "jan"),
    "jan": ("phone", *NUMBERED),
    "my_number": ("phone", *NUMBERED),
    "ssn": NUMBERED,
    "email": ("username", "free_text"),
}
"""Forms that give way where the name announces one of these, and the cells allow it."""


_OF_THE_FAMILY = re.compile(
    r"\b(children|child|kids|nkids|family|household|hh|siblings?|occupants?|inhabitants?|sibsp|parch|dependents?|dependants?|married|"
    r"marriage|psize|party size)\b|世帯|家族|子(供|ども)?の?(数|人数)|扶養|同居"
)
_DELICATE = re.compile(
    r"\b(surviv\w*|died|dead|death|disease|drugs?|hiv|aids|homo|hemo|cancer|diabet\w*|pregnan\w*|abuse|"
    r"crim\w*|convict\w*|arrest\w*|bankrupt\w*|default\w*|symptom\w*|depress\w*|disab\w*|infect\w*|relapse)\b"
    r"|死亡|生存|病|障害|障がい|妊娠|犯罪|前科|破産|服薬|感染|合否|発症|再発|転帰"
)
_ALWAYS_IDENTIFY = frozenset(
    ("email", "phone", "card", "my_number", "ssn", "passport", "insurance_no", "bank_account")
)


@dataclass(frozen=True)
class Meaning:
    """A type, how sure it is, and why."""

    type: str
    confidence: float
    reason: Text
    silent: bool
    called: bool = False


def infer(cells: ColumnCells, series: pl.Series) -> Meaning:
    """The type of a column's cells; `series` holds them in their order."""
    silent = read_header(cells.name).silent or cells.name.startswith("Unnamed: ")
    if not cells.total:
        return Meaning("category", 0.9, Text("every cell is missing", "すべて欠損"), silent)
    types = announced(cells.name)
    by_form = unmistakable(cells)
    if by_form and not (types and types[0] in _FORMED.get(by_form[0], ())):
        return Meaning(*by_form, _by_form(by_form[0], types), silent)
    if (by_words := sexes(cells)) and "flag" not in types:
        return Meaning(*by_words, _by_form("sex", types), silent)
    for kind in types:
        if kind in _RULES and (found := _RULES[kind](cells)):
            return _named(cells, series, kind, found, silent)
    order = row_order(series)
    if by_form:
        return Meaning(by_form[0], 0.8, _by_form(by_form[0], types), silent)
    found = by_values(cells, silent=silent, order=order)
    assert found is not None
    return Meaning(*found, _by_values(found[0], cells), silent)


def _named(
    cells: ColumnCells, series: pl.Series, kind: str, found: tuple[str, float], silent: bool
) -> Meaning:
    told, confidence = found
    if kind in ("id", "key", "number") and row_order(series) == "counts":
        told, confidence = "row_number", 0.9
    title = TYPES[told].title
    reason = Text(
        f"the name says {title.en}, the cells agree", f"列名が{title.ja}を示し、セルも合う"
    )
    if kind in ("id", "key", "number"):
        reason = Text("called a number or id", "番号・ID という列名")
    return Meaning(told, confidence, reason, silent, called=True)


def _by_form(kind: str, types: tuple[str, ...]) -> Text:
    title = TYPES[kind].title
    if kind in types:
        return Text(f"both name and cells say {title.en}", f"列名もセルの形も{title.ja}")
    return Text(f"the cells have the form of {title.en}", f"セルの形が{title.ja}")


def _by_values(kind: str, cells: ColumnCells) -> Text:
    title = TYPES[kind].title
    if kind == "row_number":
        return Text("whole numbers that count the rows", "行を数える連番")
    if TYPES[kind].role in ("identifier", "person"):
        return Text(
            f"{cells.distinct:,} values in {cells.total:,} cells, formed like {title.en}",
            f"{cells.total:,} セルに {cells.distinct:,} 種類、{title.ja}の形",
        )
    if cells.is_number:
        return Text(f"a number with {cells.distinct:,} values", f"{cells.distinct:,} 種類の数値")
    return Text(f"{cells.distinct:,} different values", f"{cells.distinct:,} 種類の値")


def role_of(meaning: Meaning, name: str, people: bool | None, person: str | None) -> str:
    """The role of a column in a table about people, or not."""
    kind = meaning.type
    if people is False:
        return "identifier" if kind in _ALWAYS_IDENTIFY or kind in ("name", "kana") else "other"
    if name == person:
        return "person"
    header = read_header(name)
    words = header.words + header.flat
    if kind in ("count", "measure", "quantity") and _OF_THE_FAMILY.search(words):
        return "quasi"
    if kind == "flag" and _DELICATE.search(words):
        return "sensitive"
    role = TYPES[kind].role
    return "identifier" if role == "person" else role


def kind_of(meaning: Meaning, cells: ColumnCells, style: Style) -> str:
    """What the values are: numeric, date, category or text."""
    told = TYPES[meaning.type].kind
    if told == "date":
        good = cells.are_days(style, WHOLE_ENOUGH)
        return "date" if good else "numeric" if cells.is_number else "category"
    if told == "numeric":
        return "numeric" if cells.is_number else "category"
    return told


def fate_of(role: str, cells: ColumnCells) -> str:
    """What happens to a column unless somebody decides otherwise."""
    return FATES[role] if cells.total else "drop"
