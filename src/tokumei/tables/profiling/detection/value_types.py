"""Infers types from cells where the column's name does not help."""

from __future__ import annotations

import polars as pl

from tokumei.core.check_digits import is_article_number, is_card_number, is_my_number
from tokumei.tables.profiling.column_cells import (
    GUESS,
    LIKELY,
    MAJORITY_SHARE,
    SURE,
    ColumnCells,
    TypeMatch,
    are_dates,
    has_time,
    share_of_names,
)
from tokumei.tables.profiling.detection.cell_patterns import (
    OTHER_SEX_WORDS,
    SEX_WORDS,
    YES_NO_WORDS,
)
from tokumei.tables.profiling.detection.name_detection import is_kana_name
from tokumei.tables.profiling.lexicon.places import COUNTRIES, PREFECTURES, STATES

_CHECKED_SHARE = 0.9
_MIN_CHECKED_CELLS = 8
_SHORT_LENGTH = 3
"""Two values of so few letters are marks; two longer words are kinds of something."""
_MAX_CATEGORIES = 20
"""Above this many values a column of words would list its people if it were generalized."""
_MAX_NULL_SHARE = 0.1
_LONG_NUMBER_DIGITS = 9
"""Whole numbers that all have so many digits, or more, are given rather than counted."""
_CLOSE_TOGETHER = 1.5
_YEAR_DIGITS, _MAX_YEARS = 4, 300
_TWENTY_YEARS = 20 * 31_556_952
_TIMESTAMP_RANGES = (
    (1_000_000_000, 4_000_000_000, _TWENTY_YEARS),
    (1_000_000_000_000, 4_000_000_000_000, 1000 * _TWENTY_YEARS),
)
_CITY_PATTERN = (
    r"^(?:北海道|東京都|大阪府|京都府|\p{Han}{2,3}県)?.{1,8}[市郡](?:.{1,5}[区町村])?$|"
    r"^(?:東京都)?.{1,4}[区町村]$"
)


def infer_from_pattern(cells: ColumnCells) -> TypeMatch:
    """Forms that hardly anything else has."""
    if cells.share("mac") >= _CHECKED_SHARE:
        return "device_id", LIKELY
    for column_type in ("email", "phone", "ip", "user_agent", "url"):
        if cells.share(column_type) >= MAJORITY_SHARE and _is_plausible_form(column_type, cells):
            return column_type, SURE
    is_mixed_contact = (
        cells.share("email") > 0 and cells.share("email") + cells.share("phone") >= MAJORITY_SHARE
    )
    if is_mixed_contact and _is_plausible_form("phone", cells):
        return "phone", SURE
    if cells.share("iban") >= _CHECKED_SHARE and cells.distinct > 2:
        return "bank_account", SURE
    if cells.share("ssn") >= _CHECKED_SHARE:
        return "ssn", 0.9
    return _infer_by_check_digit(cells) or _infer_place(cells)


def _is_plausible_form(column_type: str, cells: ColumnCells) -> bool:
    """Telephone numbers without any blank or hyphen may be something else."""
    if column_type != "phone":
        return True
    return not are_dates(cells, named=False) and cells.distinct > 2


def _infer_by_check_digit(cells: ColumnCells) -> TypeMatch:
    """Numbers that prove themselves."""
    digits = cells.filled.head(500).str.replace_all(r"[\s-]", "")
    if len(digits) < _MIN_CHECKED_CELLS or not digits.head(50).str.contains(r"^[0-9]{8,19}$").all():
        return None
    if are_dates(cells, named=False) and not cells.style(named=False).two_digits:
        return None
    sample = digits.to_list()
    validators = {"jan": is_article_number, "card": is_card_number, "my_number": is_my_number}
    for column_type, validator in validators.items():
        if sum(map(validator, sample)) >= _CHECKED_SHARE * len(sample):
            return column_type, SURE
    return None


def _infer_place(cells: ColumnCells) -> TypeMatch:
    if cells.share_among_words(PREFECTURES) > 0.8 and cells.distinct > 1:
        return "prefecture", SURE
    if cells.share("address") < MAJORITY_SHARE:
        return None
    if cells.share_matching(_CITY_PATTERN) > 0.9 and not cells.share_matching(r"[0-9]"):
        return "city", 0.9
    return "address", SURE


def infer_sex(cells: ColumnCells) -> TypeMatch:
    """Words for the sexes and nothing else."""
    if 2 <= cells.distinct <= 8 and cells.share_among_words(SEX_WORDS) > 0.5:
        return (
            ("sex", SURE) if cells.share_among_words(SEX_WORDS | OTHER_SEX_WORDS) > 0.97 else None
        )
    return None


def infer_from_values(cells: ColumnCells, *, silent: bool, order: str) -> TypeMatch:
    """The likeliest type by cells alone; `order` tells how whole numbers follow each other."""
    detectors = (
        _infer_date,
        _infer_by_form,
        lambda c: _infer_key(c, silent=silent, order=order),
        _infer_number_type,
        _infer_text,
    )
    for detector in detectors:
        if type_match := detector(cells):
            return type_match
    return "category", 0.4


def _infer_date(cells: ColumnCells) -> TypeMatch:
    if cells.share("time") > 0.9:
        return "time", LIKELY
    if not are_dates(cells, named=False):
        return None
    if has_time(cells):
        return "datetime", 0.9
    style = cells.style(named=False)
    birth_years = [day.year for text in cells.sample[0] if (day := style.day(text)) is not None]
    if (
        birth_years
        and sorted(birth_years)[len(birth_years) // 2] < 1995
        and max(birth_years) - min(birth_years) >= 35
    ):
        return "birth_date", 0.75
    return "date", 0.88


def _infer_by_form(cells: ColumnCells) -> TypeMatch:
    if cells.share("postal") >= MAJORITY_SHARE and cells.distinct > 5:
        return "postal", 0.9
    if cells.share_among_words(STATES) > 0.8:
        return "prefecture", 0.9
    if cells.share_among_words(COUNTRIES) > 0.7 and cells.distinct > 1:
        return "country", 0.9
    if cells.share("city") > 0.8:
        return "city", LIKELY
    if cells.share("age_words") > 0.9 and cells.distinct > 2:
        return "age", 0.8
    if cells.share("amount_words") > 0.8:
        return "amount", 0.8
    if cells.share("company") > 0.5:
        return "organization", LIKELY
    return _infer_name(cells)


def _infer_name(cells: ColumnCells) -> TypeMatch:
    if cells.number_share > 0.3 or cells.share("words") < 0.5 or cells.length > 40:
        return None
    in_kana = cells.share("katakana") + cells.share("hiragana") > 0.9
    if in_kana and cells.share_passing(is_kana_name) > 0.2:
        return "kana", LIKELY
    share = share_of_names(cells)
    if share >= 0.5 and cells.distinct > 2:
        return "name", LIKELY
    return ("name", GUESS) if share > 0.3 and cells.distinct > 10 else None


def _infer_key(cells: ColumnCells, *, silent: bool, order: str) -> TypeMatch:
    """Codes that tell every row, or nearly, from every other."""
    if cells.share("uuid") > _CHECKED_SHARE or (
        cells.share("hash") > _CHECKED_SHARE and cells.length >= 8
    ):
        return ("member_id", 0.75) if cells.distinct > _MAX_CATEGORIES else None
    if order == "counts":
        return "row_number", 0.9
    if cells.distinct <= _MAX_CATEGORIES:
        return None
    if _are_all_given(cells):
        return "record_id", 0.75
    is_nearly_unique = cells.unique_share > 0.98
    if cells.share("code") > _CHECKED_SHARE and cells.share("digits") < 0.5 and is_nearly_unique:
        return "record_id", 0.75
    leading_zero_share = cells.share("leading_zero")
    if (
        cells.share("digits") > 0.98
        and leading_zero_share > 0.02
        and cells.fixed_length
        and cells.length >= 4
    ):
        return "member_id", 0.75
    is_long_integer = cells.share("digits") > 0.98 and cells.length >= 4
    if (
        silent
        and is_nearly_unique
        and is_long_integer
        and (cells.fixed_length or order == "increases")
    ):
        return "member_id", 0.65
    if (
        is_long_integer
        and cells.fixed_length
        and cells.length >= _LONG_NUMBER_DIGITS
        and not are_timestamps(cells)
    ):
        return ("record_id" if is_nearly_unique else "member_id"), 0.65
    if (
        order == "increases"
        and is_nearly_unique
        and is_long_integer
        and cells.length >= 5
        and cells.fixed_length
    ):
        return "record_id", GUESS
    return None


def _are_all_given(cells: ColumnCells) -> bool:
    """Whether whole numbers never repeat, yet lie close together: they were given one by one.

    Counts and measurements as close together would repeat.
    """
    if cells.distinct < cells.total or not cells.is_number or not cells.is_whole:
        return False
    if cells.share("digits") < 1:
        return False
    values = cells.numbers.values.drop_nulls()
    extent = float(values.max()) - float(values.min()) + 1  # type: ignore[arg-type]
    is_year = cells.fixed_length and cells.length == _YEAR_DIGITS and extent <= _MAX_YEARS
    return extent <= _CLOSE_TOGETHER * cells.distinct and not is_year


def are_timestamps(cells: ColumnCells) -> bool:
    """Whether long numbers count the seconds, or milliseconds, of twenty years of our time."""
    values = cells.numbers.values
    return any(
        bool(((values > low) & (values < high)).all() and values.max() - values.min() < span)  # type: ignore[operator]
        for low, high, span in _TIMESTAMP_RANGES
    )


def _infer_number_type(cells: ColumnCells) -> TypeMatch:
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


def _infer_text(cells: ColumnCells) -> TypeMatch:
    if cells.distinct <= 4 and cells.share_among_words(YES_NO_WORDS) > 0.8:
        return "flag", 0.75
    if cells.distinct <= 2 and (cells.distinct == 1 or cells.length <= _SHORT_LENGTH):
        return "flag", 0.75
    if cells.share("icd") > 0.95 and cells.distinct > 2 and cells.share("code") < 0.99:
        return "diagnosis", LIKELY
    is_prose = cells.share("sentence") > 0.3 or cells.length > 30
    if is_prose and cells.length > 12 and cells.distinct > 5:
        return "free_text", 0.75
    return ("category", 0.75) if cells.distinct <= _MAX_CATEGORIES else None


def detect_row_order(series: pl.Series) -> str:
    """How whole numbers follow each other: `counts` 1, 2, 3…, `increases`, or empty.

    A few rows may have none: a blank line does not make a number of rows anything else.
    """
    if series.null_count() > _MAX_NULL_SHARE * len(series):
        return ""
    series = series.drop_nulls()
    head = series.head(1000).str.strip_chars()
    if len(head) < 5 or not head.str.contains(r"^[0-9]{1,15}(\.0)?$").all():
        return ""
    if not _is_increasing(_parse_integers(head)):
        return ""
    numbers = _parse_integers(series)
    if numbers.null_count() or not _is_increasing(numbers):
        return ""
    is_counting = numbers[0] in (0, 1) and numbers[-1] - numbers[0] == len(numbers) - 1
    return "counts" if is_counting else "increases"


def _parse_integers(cells: pl.Series) -> pl.Series:
    return cells.str.strip_chars().str.strip_suffix(".0").cast(pl.Int64, strict=False)


def _is_increasing(numbers: pl.Series) -> bool:
    return bool((numbers.diff().drop_nulls() > 0).all())
