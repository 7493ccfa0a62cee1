"""Infers a column's type from its cells and its name.

From that follow its role, its kind, and what happens to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from tokumei.core.messages import Message
from tokumei.core.parsing.dates import DateStyle
from tokumei.tables.profiling.column_cells import (
    IDENTIFIER_NUMBER_TYPES,
    NEARLY_ALL_SHARE,
    ColumnCells,
)
from tokumei.tables.profiling.column_types import COLUMN_TYPES, DEFAULT_TREATMENTS
from tokumei.tables.profiling.detection import person_type_validation, value_type_validation
from tokumei.tables.profiling.detection.header_tokens import parse_header
from tokumei.tables.profiling.detection.header_types import types_from_header
from tokumei.tables.profiling.detection.value_types import (
    detect_row_order,
    infer_from_pattern,
    infer_from_values,
    infer_sex,
)

_VALIDATORS = {**person_type_validation.PERSON_VALIDATORS, **value_type_validation.VALUE_VALIDATORS}
_HEADERS_OVER_PATTERN = {
    "phone": (*IDENTIFIER_NUMBER_TYPES, "jan", "code", "id", "key", "number"),
    "url": ("category", "free_text"),
    "address": ("free_text", "organization", "city", "store", "diagnosis", "item"),
    "card": (*IDENTIFIER_NUMBER_TYPES, "jan"),
    "jan": ("phone", *IDENTIFIER_NUMBER_TYPES),
    "my_number": ("phone", *IDENTIFIER_NUMBER_TYPES),
    "ssn": IDENTIFIER_NUMBER_TYPES,
    "email": ("username", "free_text"),
}
"""Forms that give way where the name announces one of these, and the cells allow it."""


_HOUSEHOLD_HEADER = re.compile(
    r"\b(children|child|kids|nkids|family|household|hh|siblings?|occupants?|inhabitants?|sibsp|parch|dependents?|dependants?|married|"
    r"marriage|psize|party size)\b|世帯|家族|子(供|ども)?の?(数|人数)|扶養|同居"
)
_SENSITIVE_FLAG_HEADER = re.compile(
    r"\b(surviv\w*|died|dead|death|disease|drugs?|hiv|aids|homo|hemo|cancer|diabet\w*|pregnan\w*|abuse|"
    r"crim\w*|convict\w*|arrest\w*|bankrupt\w*|default\w*|symptom\w*|depress\w*|disab\w*|infect\w*|relapse)\b"
    r"|死亡|生存|病|障害|障がい|妊娠|犯罪|前科|破産|服薬|感染|合否|発症|再発|転帰"
)
_VISIBLE_FLAG_HEADER = re.compile(
    r"^ (is )?(black|white|asian|hispanic|hispan|hisp|nonwhite|minority|latin[oa]|female|fem|male|"
    r"woman|man|married|marr|widow(ed)?|divorced|single) ([0-9]+ )?$|^(男性|女性|既婚|未婚)$"
)
"""Yes or no to what others see or look up."""
_ALWAYS_IDENTIFYING_TYPES = frozenset(
    ("email", "phone", "card", "my_number", "ssn", "passport", "insurance_no", "bank_account")
)


@dataclass(frozen=True)
class InferredType:
    """A type, how sure it is, and why."""

    type: str
    confidence: float
    reason: Message
    silent: bool
    header_confirmed: bool = False


def infer_type(cells: ColumnCells, series: pl.Series) -> InferredType:
    """The type of a column's cells; `series` holds them in their order."""
    is_header_silent = parse_header(cells.name).silent or cells.name.startswith("Unnamed: ")
    if not cells.total:
        reason = Message("every cell is missing", stable_code="no-cells")
        return InferredType("category", 0.9, reason, is_header_silent)
    header_types = types_from_header(cells.name)
    pattern_match = infer_from_pattern(cells)
    if pattern_match and not (
        header_types and header_types[0] in _HEADERS_OVER_PATTERN.get(pattern_match[0], ())
    ):
        return InferredType(
            *pattern_match,
            _describe_pattern_match(pattern_match[0], header_types),
            is_header_silent,
        )
    if (sex_match := infer_sex(cells)) and "flag" not in header_types:
        return InferredType(
            *sex_match, _describe_pattern_match("sex", header_types), is_header_silent
        )
    for header_type in header_types:
        if header_type in _VALIDATORS and (type_match := _VALIDATORS[header_type](cells)):
            return _infer_from_header(cells, series, header_type, type_match, is_header_silent)
    row_sequence = detect_row_order(series)
    if pattern_match:
        return InferredType(
            pattern_match[0],
            0.8,
            _describe_pattern_match(pattern_match[0], header_types),
            is_header_silent,
        )
    type_match = infer_from_values(cells, silent=is_header_silent, order=row_sequence)
    assert type_match is not None
    return InferredType(*type_match, _describe_value_match(type_match[0], cells), is_header_silent)


def _infer_from_header(
    cells: ColumnCells,
    series: pl.Series,
    header_type: str,
    type_match: tuple[str, float],
    is_header_silent: bool,
) -> InferredType:
    column_type, confidence = type_match
    if header_type in ("id", "key", "number") and detect_row_order(series) == "counts":
        column_type, confidence = "row_number", 0.9
    meaning = COLUMN_TYPES[column_type].title
    reason = Message(
        "the name indicates {meaning}, and the cells fit", meaning=meaning, stable_code="header"
    )
    if header_type in ("id", "key", "number"):
        reason = Message("the name contains number or ID", stable_code="header-number")
    return InferredType(column_type, confidence, reason, is_header_silent, header_confirmed=True)


def _describe_pattern_match(column_type: str, header_types: tuple[str, ...]) -> Message:
    meaning = COLUMN_TYPES[column_type].title
    if column_type in header_types:
        return Message(
            "both name and cells say {meaning}", meaning=meaning, stable_code="header-and-pattern"
        )
    return Message(
        "the form of the cells indicates {meaning}", meaning=meaning, stable_code="pattern"
    )


def _describe_value_match(column_type: str, cells: ColumnCells) -> Message:
    meaning = COLUMN_TYPES[column_type].title
    if column_type == "row_number":
        return Message("whole numbers that count the rows", stable_code="row-numbers")
    if COLUMN_TYPES[column_type].role in ("identifier", "person"):
        return Message(
            "{distinct:,} values in {total:,} cells, whose form says {meaning}",
            distinct=cells.distinct,
            total=cells.total,
            meaning=meaning,
            stable_code="identifying-values",
        )
    if cells.is_number:
        return Message(
            "a number with {distinct:,} values", distinct=cells.distinct, stable_code="number"
        )
    return Message("{distinct:,} different values", distinct=cells.distinct, stable_code="category")


def assign_role(
    inferred: InferredType, name: str, about_people: bool | None, person_name: str | None
) -> str:
    """The role of a column in a table about people, or not."""
    column_type = inferred.type
    if about_people is False:
        return (
            "identifier"
            if column_type in _ALWAYS_IDENTIFYING_TYPES or column_type in ("name", "kana")
            else "other"
        )
    if name == person_name:
        return "person"
    header = parse_header(name)
    words = header.words + header.flat
    if column_type in ("count", "measure", "quantity") and _HOUSEHOLD_HEADER.search(words):
        return "quasi"
    if column_type == "flag" and _VISIBLE_FLAG_HEADER.search(header.flat or header.words):
        return "quasi"
    if column_type == "flag" and _SENSITIVE_FLAG_HEADER.search(words):
        return "sensitive"
    role = COLUMN_TYPES[column_type].role
    return "identifier" if role == "person" else role


def assign_value_kind(inferred: InferredType, cells: ColumnCells, style: DateStyle) -> str:
    """What the values are: numeric, date, category or text."""
    type_kind = COLUMN_TYPES[inferred.type].kind
    if type_kind == "date":
        is_mostly_dates = cells.are_days(style, NEARLY_ALL_SHARE)
        return "date" if is_mostly_dates else "numeric" if cells.is_number else "category"
    if type_kind == "numeric":
        return "numeric" if cells.is_number else "category"
    return type_kind


def default_treatment(role: str, cells: ColumnCells) -> str:
    """What happens to a column unless somebody decides otherwise."""
    return DEFAULT_TREATMENTS[role] if cells.total else "drop"
