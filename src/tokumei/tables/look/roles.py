"""Roles and kinds of columns from their types, and what then happens to them."""

from __future__ import annotations

import re

from tokumei.core.written.dates import Style
from tokumei.tables.look.column_cells import WHOLE_ENOUGH, ColumnCells
from tokumei.tables.look.header_tokens import read_header
from tokumei.tables.look.infer import Meaning
from tokumei.tables.look.types import FATES, TYPES

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
