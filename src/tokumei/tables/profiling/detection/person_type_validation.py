"""Validates the type a name suggests: names, numbers and places of people."""

from __future__ import annotations

import re
from functools import partial

import polars as pl

from tokumei.tables.profiling.column_cells import (
    GUESS,
    IDENTIFIER_NUMBER_TYPES,
    LIKELY,
    MAJORITY_SHARE,
    SURE,
    ColumnCells,
    TypeMatch,
    TypeValidator,
    are_dates,
    is_code_like,
    is_textual,
    is_within,
    share_of_names,
)
from tokumei.tables.profiling.detection.cell_patterns import YES_NO_WORDS
from tokumei.tables.profiling.detection.name_detection import is_kana_name

_PHONE_PATTERN = r"^[+(]?[0-9][-+()0-9\s.]{5,20}(?:\s*(?:x|ext\.?|内線)\s*\d+|\s*\(.*\))?$"
_PLURAL_HEADER = re.compile(r"(s|children|people)$|人数$", re.IGNORECASE)
"""`members` that hold few numbers are counted, not named."""
_FEW_VALUES = 20
_MAX_ROWS_PER_PERSON, _MANY_ROWS = 200, 15
_DENSE, _MAX_SMALL, _UNEVEN = 3, 1000, 0.5
"""Numbers that are counted: small ones without gaps, some of them much more frequent."""


def _validate_name(cells: ColumnCells) -> TypeMatch:
    if cells.number_share > MAJORITY_SHARE or are_dates(cells, named=False):
        return None
    if cells.share("words") < 0.5:
        return "name", LIKELY
    if cells.share("katakana") > MAJORITY_SHARE and cells.share_passing(is_kana_name) > 0.1:
        return "kana", SURE
    return "name", SURE if share_of_names(cells) > 0.2 else 0.9


def _validate_possible_name(cells: ColumnCells) -> TypeMatch:
    match_share = share_of_names(cells) if is_textual(cells) else 0.0
    return ("name", LIKELY if match_share > 0.3 else GUESS) if match_share > 0.1 else None


def counts_rather_than_names(cells: ColumnCells) -> bool:
    """Whether numbers under a word for somebody are counted or measured: `child6`, `doctor`.

    Numbers given to people are of many values, or of a few that have equally many rows each; of
    what is counted and measured, some values are frequent, and others rare.
    """
    if not cells.is_number:
        return False
    rows_per_value = cells.total / max(cells.distinct, 1)
    if not cells.is_whole or cells.distinct <= 2 or rows_per_value > _MAX_ROWS_PER_PERSON:
        return True
    values, counts = cells.numbers.values.drop_nulls(), cells.weights.cast(pl.Float64)
    extent = float(values.max()) - float(values.min()) + 1  # type: ignore[arg-type]
    is_dense = extent <= _DENSE * cells.distinct and float(values.max()) < _MAX_SMALL  # type: ignore[arg-type]
    is_uneven = float(counts.std() or 0.0) > _UNEVEN * float(counts.mean() or 0.0)  # type: ignore[arg-type]
    return is_dense and is_uneven and rows_per_value >= _MANY_ROWS


def _validate_person_reference(cells: ColumnCells) -> TypeMatch:
    if counts_rather_than_names(cells):
        return "count" if cells.distinct > 2 else "flag", LIKELY
    if cells.is_number and cells.distinct <= _FEW_VALUES and _PLURAL_HEADER.search(cells.name):
        return "count", LIKELY
    if is_code_like(cells):
        return "member_id", GUESS if cells.is_number else LIKELY
    if not is_textual(cells):
        return None
    match_share = share_of_names(cells)
    if match_share > 0.2 or cells.share_passing(is_kana_name) > 0.2:
        return "name", SURE
    return ("name", GUESS + 0.1) if cells.distinct > 12 and cells.length < 25 else None


def _validate_kana(cells: ColumnCells) -> TypeMatch:
    if cells.share("katakana") + cells.share("hiragana") > MAJORITY_SHARE:
        return "kana", SURE
    return ("kana", LIKELY) if is_textual(cells) and cells.distinct > 5 else None


def _validate_identifier(column_type: str, cells: ColumnCells) -> TypeMatch:
    if cells.is_number and not cells.is_whole:
        return None
    if cells.distinct <= 2 and cells.total > 20:
        return None
    if cells.distinct > _FEW_VALUES and are_dates(cells, named=False):
        return None
    if cells.share("sentence") > 0.5 and cells.length > 12:
        return None
    return column_type, SURE if is_code_like(cells) or cells.unique_share > 0.9 else LIKELY


def _validate_plain_id(cells: ColumnCells) -> TypeMatch:
    if (cells.is_number and not cells.is_whole) or cells.distinct <= 2:
        return None
    return "member_id", LIKELY


def _validate_key(cells: ColumnCells) -> TypeMatch:
    """A number of we know not what: an identifier if it is hardly ever repeated."""
    if not is_code_like(cells) or cells.distinct <= 20:
        return ("code", LIKELY) if is_code_like(cells) or cells.distinct <= 60 else None
    if cells.unique_share > 0.9:
        return "record_id", 0.75
    return "code", GUESS


def _validate_unowned_number(cells: ColumnCells) -> TypeMatch:
    """A number or id of we know not whom: taken for somebody's, unless it is one of few."""
    key_match = _validate_key(cells)
    if key_match and key_match[0] == "code" and cells.distinct > 20 and cells.unique_share > 0.1:
        return "member_id", GUESS
    return key_match


def _validate_phone(cells: ColumnCells) -> TypeMatch:
    is_phone = cells.share_matching(_PHONE_PATTERN) > MAJORITY_SHARE and cells.distinct > 2
    return ("phone", SURE) if is_phone else None


def _validate_address(cells: ColumnCells) -> TypeMatch:
    if cells.share("house") > MAJORITY_SHARE and cells.distinct > 2:
        return "address", LIKELY
    if not is_textual(cells) or (cells.share("words") < 0.3 and cells.share("address") < 0.3):
        return None
    if cells.length <= 3:
        return None
    if cells.share("city") > 0.9 and cells.share("address") < 0.3:
        return "city", LIKELY
    return ("address", SURE) if cells.distinct > 2 else None


def _validate_postal_code(cells: ColumnCells) -> TypeMatch:
    forms = (
        r"^〒?\s?[0-9]{3}-?[0-9]{0,4}$|^[0-9]{4,8}(-[0-9]{3,4})?$|^[A-Z]{1,2}[0-9][A-Z0-9 ]{2,6}$"
        r"|^[A-Z0-9]{3}$|^[0-9]{2,5}[xX*]{1,4}$|^[A-Z]{1,2}[0-9]{1,2}[A-Z]? [0-9]$"
    )
    return ("postal", SURE) if cells.share_matching(forms) > MAJORITY_SHARE else None


def _validate_place(column_type: str, max_values: int, cells: ColumnCells) -> TypeMatch:
    if cells.share_among_words(YES_NO_WORDS) > 0.9 or (cells.is_number and not cells.is_whole):
        return None
    if (cells.is_number and cells.distinct > 60) or cells.distinct > max_values:
        return None
    return column_type, SURE if is_textual(cells) else LIKELY


def _validate_coordinate(column_type: str, max_degrees: float, cells: ColumnCells) -> TypeMatch:
    return (
        (column_type, SURE)
        if cells.is_number and is_within(cells, -max_degrees, max_degrees)
        else None
    )


def _validate_digits(column_type: str, low: int, high: int, cells: ColumnCells) -> TypeMatch:
    digit_share = cells.share_matching(rf"^[\s-]*(?:[0-9*X•][\s-]*){{{low},{high}}}$")
    return (column_type, SURE) if digit_share > MAJORITY_SHARE else None


def _validate_pattern(column_type: str, min_share: float, cells: ColumnCells) -> TypeMatch:
    return (column_type, SURE) if cells.share(column_type) > min_share else None


def _validate_user_agent(cells: ColumnCells) -> TypeMatch:
    return ("user_agent", SURE) if cells.share("words") > 0.5 else None


def _validate_username(cells: ColumnCells) -> TypeMatch:
    if cells.is_number:
        return ("member_id", LIKELY) if cells.is_whole and cells.distinct > 2 else None
    return ("username", SURE) if cells.distinct > 2 else None


PERSON_VALIDATORS: dict[str, TypeValidator] = {
    "name": _validate_name,
    "name?": _validate_possible_name,
    "somebody": _validate_person_reference,
    "kana": _validate_kana,
    **{
        kind: partial(_validate_identifier, kind)
        for kind in IDENTIFIER_NUMBER_TYPES
        if kind not in ("my_number", "card")
    },
    "id": _validate_plain_id,
    "key": _validate_key,
    "number": _validate_unowned_number,
    "email": partial(_validate_pattern, "email", 0.1),
    "phone": _validate_phone,
    "address": _validate_address,
    "postal": _validate_postal_code,
    "prefecture": partial(_validate_place, "prefecture", 300),
    "city": partial(_validate_place, "city", 20_000),
    "country": partial(_validate_place, "country", 300),
    "lat": partial(_validate_coordinate, "lat", 90),
    "lon": partial(_validate_coordinate, "lon", 180),
    "my_number": partial(_validate_digits, "my_number", 12, 12),
    "card": partial(_validate_digits, "card", 12, 19),
    "jan": partial(_validate_digits, "jan", 8, 14),
    "ip": partial(_validate_pattern, "ip", 0.3),
    "url": partial(_validate_pattern, "url", 0.3),
    "user_agent": _validate_user_agent,
    "username": _validate_username,
}
"""By what the name announces."""
