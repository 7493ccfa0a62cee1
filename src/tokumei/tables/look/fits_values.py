"""Whether cells can be what a name announces: days, numbers, texts and categories."""

from __future__ import annotations

from functools import partial

from tokumei.tables.look.cell_signs import (
    GUESS,
    LIKELY,
    MOSTLY,
    SURE,
    Fit,
    Rule,
    are_dates,
    between,
    has_time,
    is_text,
)
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.forms import YES_NO


def _birth(cells: ColumnCells) -> Fit:
    if between(cells, 1850, 2100) and cells.fixed_length:
        return "birth_year", SURE
    return ("birth_date", SURE) if are_dates(cells, named=True) else None


def _birth_year(cells: ColumnCells) -> Fit:
    if between(cells, 1850, 2100):
        return "birth_year", SURE
    if are_dates(cells, named=True):
        return "birth_date", LIKELY
    return ("birth_year", GUESS) if cells.is_number and between(cells, 0, 130) else None


def _age(cells: ColumnCells) -> Fit:
    if cells.is_number and between(cells, 0, 130):
        return "age", SURE
    if cells.share("age_words") > MOSTLY:
        return "age", SURE
    return ("age", LIKELY) if cells.distinct <= 15 and not cells.is_number else None


def _number(kind: str, cells: ColumnCells) -> Fit:
    if cells.is_number and (cells.distinct > 2 or not between(cells, 0, 2)):
        return kind, LIKELY
    if kind == "amount" and cells.share("amount_words") > 0.5:
        return kind, LIKELY
    graded = kind == "score" and cells.distinct <= 12 and cells.length < 8
    return (kind, 0.8) if graded and not cells.is_number else None


def _schooling(cells: ColumnCells) -> Fit:
    if cells.is_number:
        return ("education", LIKELY) if cells.is_whole and 2 < cells.distinct <= 40 else None
    return ("education", 0.9) if cells.distinct <= 80 else None


def _work(cells: ColumnCells) -> Fit:
    if cells.is_number:
        return ("occupation", LIKELY) if cells.is_whole and 2 < cells.distinct <= 60 else None
    return ("occupation", 0.9) if cells.distinct > 2 and cells.length < 40 else None


def _illness(cells: ColumnCells) -> Fit:
    if cells.is_number:
        return ("diagnosis", LIKELY) if cells.is_whole and 2 < cells.distinct <= 12 else None
    if cells.length > 18 and cells.share("sentence") > 0.4 and cells.distinct > 20:
        return "free_text", LIKELY
    return ("diagnosis", 0.9) if cells.distinct > 2 or cells.share_in(YES_NO) < 0.5 else None


def _dated(kind: str, cells: ColumnCells) -> Fit:
    if cells.share("time") > 0.8:
        return "time", SURE
    short = cells.is_whole and cells.length <= 6
    if kind in ("year", "date") and short and between(cells, 1850, 2100):
        return "year", LIKELY
    if kind == "time" or not are_dates(cells, named=True):
        return None
    return ("datetime" if has_time(cells) else "date"), SURE


def _prose(cells: ColumnCells) -> Fit:
    if not is_text(cells) or (cells.distinct <= 2 and cells.length < 12):
        return None
    if cells.share("phrase") > 0.25 or cells.share("sentence") > 0.2 or cells.distinct > 40:
        return "free_text", 0.9
    return ("free_text", 0.75) if cells.length > 5 and cells.distinct > 12 else None


def _thing(kind: str, cells: ColumnCells) -> Fit:
    if cells.is_number and not cells.is_whole:
        return None
    if cells.distinct <= 2 and cells.share_in(YES_NO) > 0.9:
        return None
    if cells.is_number and cells.distinct > 50 and not cells.fixed_length:
        return None
    return kind, LIKELY


def _flag(cells: ColumnCells) -> Fit:
    return ("flag", 0.9) if cells.distinct <= 3 and cells.length < 12 else None


def _category(cells: ColumnCells) -> Fit:
    if cells.distinct <= 2 and cells.share_in(YES_NO) > 0.9:
        return "flag", 0.9
    if cells.is_number:
        return ("category", LIKELY) if cells.is_whole and cells.distinct <= 15 else None
    if are_dates(cells, named=False):
        return None
    return ("category", LIKELY) if cells.distinct <= 60 and cells.length < 30 else None


def _small(kind: str, most: int, most_numbers: int, cells: ColumnCells) -> Fit:
    if cells.is_number and (not cells.is_whole or cells.distinct > most_numbers):
        return None
    return (kind, SURE) if cells.distinct <= most else None


RULES: dict[str, Rule] = {
    "birth_date": _birth,
    "birth_year": _birth_year,
    "age": _age,
    "sex": partial(_small, "sex", 8, 4),
    "marital": partial(_small, "marital", 12, 9),
    "race": partial(_small, "race", 60, 12),
    "education": _schooling,
    "occupation": _work,
    "diagnosis": _illness,
    **{
        kind: partial(_number, kind)
        for kind in ("amount", "price", "quantity", "count", "score", "measure", "weight")
    },
    **{kind: partial(_dated, kind) for kind in ("date", "datetime", "year", "time")},
    "free_text": _prose,
    **{kind: partial(_thing, kind) for kind in ("organization", "store", "item", "code")},
    "flag": _flag,
    "category": _category,
}
"""By what the name announces."""
