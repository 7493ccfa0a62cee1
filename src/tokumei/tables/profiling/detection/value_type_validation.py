"""Validates the type a name suggests: dates, numbers, texts and categories."""

from __future__ import annotations

from functools import partial

from tokumei.tables.profiling.column_cells import (
    GUESS,
    LIKELY,
    MAJORITY_SHARE,
    SURE,
    ColumnCells,
    TypeMatch,
    TypeValidator,
    are_dates,
    has_time,
    is_textual,
    is_within,
)
from tokumei.tables.profiling.detection.cell_patterns import YES_NO_WORDS


def _validate_birth_date(cells: ColumnCells) -> TypeMatch:
    if is_within(cells, 1850, 2100) and cells.fixed_length:
        return "birth_year", SURE
    return ("birth_date", SURE) if are_dates(cells, named=True) else None


def _validate_birth_year(cells: ColumnCells) -> TypeMatch:
    if is_within(cells, 1850, 2100):
        return "birth_year", SURE
    if are_dates(cells, named=True):
        return "birth_date", LIKELY
    return ("birth_year", GUESS) if cells.is_number and is_within(cells, 0, 130) else None


def _validate_age(cells: ColumnCells) -> TypeMatch:
    if cells.is_number and is_within(cells, 0, 130):
        return "age", SURE
    if cells.share("age_words") > MAJORITY_SHARE:
        return "age", SURE
    return ("age", LIKELY) if cells.distinct <= 15 and not cells.is_number else None


def _validate_number(column_type: str, cells: ColumnCells) -> TypeMatch:
    if cells.is_number and (cells.distinct > 2 or not is_within(cells, 0, 2)):
        return column_type, LIKELY
    if column_type == "amount" and cells.share("amount_words") > 0.5:
        return column_type, LIKELY
    is_graded = column_type == "score" and cells.distinct <= 12 and cells.length < 8
    return (column_type, 0.8) if is_graded and not cells.is_number else None


def _validate_education(cells: ColumnCells) -> TypeMatch:
    if cells.is_number:
        return ("education", LIKELY) if cells.is_whole and 2 < cells.distinct <= 40 else None
    return ("education", 0.9) if cells.distinct <= 80 else None


def _validate_occupation(cells: ColumnCells) -> TypeMatch:
    if cells.is_number:
        return ("occupation", LIKELY) if cells.is_whole and 2 < cells.distinct <= 60 else None
    return ("occupation", 0.9) if cells.distinct > 2 and cells.length < 40 else None


def _validate_diagnosis(cells: ColumnCells) -> TypeMatch:
    if cells.is_number:
        return ("diagnosis", LIKELY) if cells.is_whole and 2 < cells.distinct <= 12 else None
    if cells.length > 18 and cells.share("sentence") > 0.4 and cells.distinct > 20:
        return "free_text", LIKELY
    return (
        ("diagnosis", 0.9)
        if cells.distinct > 2 or cells.share_among_words(YES_NO_WORDS) < 0.5
        else None
    )


def _validate_date(column_type: str, cells: ColumnCells) -> TypeMatch:
    if cells.share("time") > 0.8:
        return "time", SURE
    is_short_integer = cells.is_whole and cells.length <= 6
    if column_type in ("year", "date") and is_short_integer and is_within(cells, 1850, 2100):
        return "year", LIKELY
    if column_type == "time" or not are_dates(cells, named=True):
        return None
    return ("datetime" if has_time(cells) else "date"), SURE


def _validate_free_text(cells: ColumnCells) -> TypeMatch:
    if not is_textual(cells) or (cells.distinct <= 2 and cells.length < 12):
        return None
    if cells.share("phrase") > 0.25 or cells.share("sentence") > 0.2 or cells.distinct > 40:
        return "free_text", 0.9
    return ("free_text", 0.75) if cells.length > 5 and cells.distinct > 12 else None


def _validate_thing_name(column_type: str, cells: ColumnCells) -> TypeMatch:
    if cells.is_number and not cells.is_whole:
        return None
    if cells.distinct <= 2 and cells.share_among_words(YES_NO_WORDS) > 0.9:
        return None
    if cells.is_number and cells.distinct > 50 and not cells.fixed_length:
        return None
    return column_type, LIKELY


def _validate_flag(cells: ColumnCells) -> TypeMatch:
    if cells.distinct > 3 or cells.length >= 12:
        return None
    is_pair = cells.distinct <= 2 or cells.is_number
    return ("flag", 0.9) if is_pair or cells.share_among_words(YES_NO_WORDS) > 0.5 else None


def _validate_category(cells: ColumnCells) -> TypeMatch:
    if cells.distinct <= 2 and cells.share_among_words(YES_NO_WORDS) > 0.9:
        return "flag", 0.9
    if cells.is_number:
        return ("category", LIKELY) if cells.is_whole and cells.distinct <= 15 else None
    if are_dates(cells, named=False):
        return None
    return ("category", LIKELY) if cells.distinct <= 60 and cells.length < 30 else None


def _validate_small_category(
    column_type: str, max_values: int, max_numbers: int, cells: ColumnCells
) -> TypeMatch:
    if cells.is_number and (not cells.is_whole or cells.distinct > max_numbers):
        return None
    return (column_type, SURE) if cells.distinct <= max_values else None


VALUE_VALIDATORS: dict[str, TypeValidator] = {
    "birth_date": _validate_birth_date,
    "birth_year": _validate_birth_year,
    "age": _validate_age,
    "sex": partial(_validate_small_category, "sex", 8, 4),
    "marital": partial(_validate_small_category, "marital", 12, 9),
    "race": partial(_validate_small_category, "race", 60, 12),
    "education": _validate_education,
    "occupation": _validate_occupation,
    "diagnosis": _validate_diagnosis,
    **{
        kind: partial(_validate_number, kind)
        for kind in ("amount", "price", "quantity", "count", "score", "measure", "weight")
    },
    **{kind: partial(_validate_date, kind) for kind in ("date", "datetime", "year", "time")},
    "free_text": _validate_free_text,
    **{
        kind: partial(_validate_thing_name, kind)
        for kind in ("organization", "store", "item", "code")
    },
    "flag": _validate_flag,
    "category": _validate_category,
}
"""By what the name announces."""
