"""What cells are where the column's name says nothing, or something that they are not."""

from __future__ import annotations

import polars as pl

from tokumei.core.check_digits import is_article, is_card, is_my_number
from tokumei.tables.look.cell_signs import (
    GUESS,
    LIKELY,
    MOSTLY,
    SURE,
    Fit,
    are_dates,
    has_time,
    looks_like_names,
)
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.forms import SEX_BESIDE, SEX_WORDS, YES_NO
from tokumei.tables.look.names import is_kana_name
from tokumei.tables.look.places import COUNTRIES, PREFECTURES, STATES

_CHECKED = 0.9
_FEWEST = 8
_SHORT_MARK = 3
"""Two values of so few letters are marks; two longer words are kinds of something."""
_MANY = 20
"""Above this many values a column of words would list its people if it were generalized."""
_GAPS = 0.1
_LONG = 9
"""Whole numbers that all have so many digits, or more, are given rather than counted."""
_YEARS = 20 * 31_556_952
_OUR_TIME = (
    (1_000_000_000, 4_000_000_000, _YEARS),
    (1_000_000_000_000, 4_000_000_000_000, 1000 * _YEARS),
)
_CITY_ONLY = (
    r"^(?:北海道|東京都|大阪府|京都府|\p{Han}{2,3}県)?.{1,8}[市郡](?:.{1,5}[区町村])?$|"
    r"^(?:東京都)?.{1,4}[区町村]$"
)


def unmistakable(cells: ColumnCells) -> Fit:
    """Forms that hardly anything else has."""
    if cells.share("mac") >= _CHECKED:
        return "device_id", LIKELY
    for kind in ("email", "phone", "ip", "user_agent", "url"):
        if cells.share(kind) >= MOSTLY and _is_form(kind, cells):
            return kind, SURE
    mixed = cells.share("email") > 0 and cells.share("email") + cells.share("phone") >= MOSTLY
    if mixed and _is_form("phone", cells):
        return "phone", SURE
    if cells.share("iban") >= _CHECKED and cells.distinct > 2:
        return "bank_account", SURE
    if cells.share("ssn") >= _CHECKED:
        return "ssn", 0.9
    return _checked(cells) or _placed(cells)


def _is_form(kind: str, cells: ColumnCells) -> bool:
    """Telephone numbers without any blank or hyphen may be something else."""
    if kind != "phone":
        return True
    return not are_dates(cells, named=False) and cells.distinct > 2


def _checked(cells: ColumnCells) -> Fit:
    """Numbers that prove themselves."""
    digits = cells.filled.head(500).str.replace_all(r"[\s-]", "")
    if len(digits) < _FEWEST or not digits.head(50).str.contains(r"^[0-9]{8,19}$").all():
        return None
    if are_dates(cells, named=False) and not cells.style(named=False).two_digits:
        return None
    some = digits.to_list()
    tests = {"jan": is_article, "card": is_card, "my_number": is_my_number}
    for kind, check in tests.items():
        if sum(map(check, some)) >= _CHECKED * len(some):
            return kind, SURE
    return None


def _placed(cells: ColumnCells) -> Fit:
    if cells.share_in(PREFECTURES) > 0.8 and cells.distinct > 1:
        return "prefecture", SURE
    if cells.share("address") < MOSTLY:
        return None
    if cells.share_of(_CITY_ONLY) > 0.9 and not cells.share_of(r"[0-9]"):
        return "city", 0.9
    return "address", SURE


def sexes(cells: ColumnCells) -> Fit:
    """Words for the sexes and nothing else."""
    if 2 <= cells.distinct <= 8 and cells.share_in(SEX_WORDS) > 0.5:
        return ("sex", SURE) if cells.share_in(SEX_WORDS | SEX_BESIDE) > 0.97 else None
    return None


def by_values(cells: ColumnCells, *, silent: bool, order: str) -> Fit:
    """The likeliest type by cells alone; `order` tells how whole numbers follow each other."""
    rules = (_dates, _formed, lambda c: _keys(c, silent=silent, order=order), _numbers, _words)
    for rule in rules:
        if found := rule(cells):
            return found
    return "category", 0.4


def _dates(cells: ColumnCells) -> Fit:
    if cells.share("time") > 0.9:
        return "time", LIKELY
    if not are_dates(cells, named=False):
        return None
    if has_time(cells):
        return "datetime", 0.9
    style = cells.style(named=False)
    years = [day.year for text in cells.sample[0] if (day := style.day(text)) is not None]
    if years and sorted(years)[len(years) // 2] < 1995 and max(years) - min(years) >= 35:
        return "birth_date", 0.75
    return "date", 0.88


def _formed(cells: ColumnCells) -> Fit:
    if cells.share("postal") >= MOSTLY and cells.distinct > 5:
        return "postal", 0.9
    if cells.share_in(STATES) > 0.8:
        return "prefecture", 0.9
    if cells.share_in(COUNTRIES) > 0.7 and cells.distinct > 1:
        return "country", 0.9
    if cells.share("city") > 0.8:
        return "city", LIKELY
    if cells.share("age_words") > 0.9 and cells.distinct > 2:
        return "age", 0.8
    if cells.share("amount_words") > 0.8:
        return "amount", 0.8
    if cells.share("company") > 0.5:
        return "organization", LIKELY
    return _named(cells)


def _named(cells: ColumnCells) -> Fit:
    if cells.number_share > 0.3 or cells.share("words") < 0.5 or cells.length > 40:
        return None
    in_kana = cells.share("katakana") + cells.share("hiragana") > 0.9
    if in_kana and cells.share_where(is_kana_name) > 0.2:
        return "kana", LIKELY
    share = looks_like_names(cells)
    if share >= 0.5 and cells.distinct > 2:
        return "name", LIKELY
    return ("name", GUESS) if share > 0.3 and cells.distinct > 10 else None


def _keys(cells: ColumnCells, *, silent: bool, order: str) -> Fit:
    """Codes that tell every row, or nearly, from every other."""
    if cells.share("uuid") > _CHECKED or (cells.share("hash") > _CHECKED and cells.length >= 8):
        return ("member_id", 0.75) if cells.distinct > _MANY else None
    if order == "counts":
        return "row_number", 0.9
    if cells.distinct <= _MANY:
        return None
    telling = cells.unique_share > 0.98
    if cells.share("code") > _CHECKED and cells.share("digits") < 0.5 and telling:
        return "record_id", 0.75
    zeros = cells.share("leading_zero")
    if cells.share("digits") > 0.98 and zeros > 0.02 and cells.fixed_length and cells.length >= 4:
        return "member_id", 0.75
    whole = cells.share("digits") > 0.98 and cells.length >= 4
    if silent and telling and whole and (cells.fixed_length or order == "increases"):
        return "member_id", 0.65
    if whole and cells.fixed_length and cells.length >= _LONG and not moments(cells):
        return ("record_id" if telling else "member_id"), 0.65
    if order == "increases" and telling and whole and cells.length >= 5 and cells.fixed_length:
        return "record_id", GUESS
    return None


def moments(cells: ColumnCells) -> bool:
    """Whether long numbers count the seconds, or milliseconds, of twenty years of our time."""
    values = cells.numbers.values
    return any(
        bool(((values > low) & (values < high)).all() and values.max() - values.min() < span)  # type: ignore[operator]
        for low, high, span in _OUR_TIME
    )


def _numbers(cells: ColumnCells) -> Fit:
    if not cells.is_number:
        return None
    if cells.distinct <= 2:
        return "flag", 0.75
    if cells.is_money:
        return "amount", LIKELY
    if not cells.is_whole:
        return "measure", 0.65
    values = cells.numbers.values
    if cells.fixed_length and ((values >= 1900) & (values <= 2050)).all():
        return "year", GUESS
    return ("score", GUESS) if cells.distinct <= 10 else ("count", GUESS)


def _words(cells: ColumnCells) -> Fit:
    if cells.distinct <= 4 and cells.share_in(YES_NO) > 0.8:
        return "flag", 0.75
    if cells.distinct <= 2 and (cells.distinct == 1 or cells.length <= _SHORT_MARK):
        return "flag", 0.75
    if cells.share("icd") > 0.95 and cells.distinct > 2 and cells.share("code") < 0.99:
        return "diagnosis", LIKELY
    prose = cells.share("sentence") > 0.3 or cells.length > 30
    if prose and cells.length > 12 and cells.distinct > 5:
        return "free_text", 0.75
    return ("category", 0.75) if cells.distinct <= _MANY else None


def row_order(series: pl.Series) -> str:
    """How whole numbers follow each other: `counts` 1, 2, 3…, `increases`, or empty.

    A few rows may have none: a blank line does not make a number of rows anything else.
    """
    if series.null_count() > _GAPS * len(series):
        return ""
    series = series.drop_nulls()
    head = series.head(1000).str.strip_chars()
    if len(head) < 5 or not head.str.contains(r"^[0-9]{1,15}(\.0)?$").all():
        return ""
    if not _increase(_whole(head)):
        return ""
    numbers = _whole(series)
    if numbers.null_count() or not _increase(numbers):
        return ""
    counts = numbers[0] in (0, 1) and numbers[-1] - numbers[0] == len(numbers) - 1
    return "counts" if counts else "increases"


def _whole(cells: pl.Series) -> pl.Series:
    return cells.str.strip_chars().str.strip_suffix(".0").cast(pl.Int64, strict=False)


def _increase(numbers: pl.Series) -> bool:
    return bool((numbers.diff().drop_nulls() > 0).all())
