"""The columns of a history: found by their names, read strictly; every bad cell is listed.

Customer and day must be there, item, price and quantity may be, and further values as `value1`,
`value2` … Each of these is like one of the others: days like the day, numbers like the price, all
else like the item; it is read, generalized, measured and written as that one is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from tokumei.core.cells import LineOf, cell_fault
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError
from tokumei.core.text import Text

COLUMNS = ("customer", "day", "item", "price", "quantity")
NUMBERS = ("day", "price", "quantity")
"""The columns that are generalized to intervals."""
ABSENT: dict[str, str | float] = {"item": "-", "price": 0.0, "quantity": 1}
"""What stands for a column that a history need not have; it is never written."""
MAX_DECIMALS = 6
MAX_PRICE = 10**9
MAX_QUANTITY = 10**15
_DAY = r"^\d{4}[/-]\d{1,2}[/-]\d{1,2}([ T]\d.*)?$"
CODE = r"^[+-]?0\d"
"""A number with a leading zero is a code."""
_COMPACT = r"^((?:19|20)\d{2})(\d{2})(\d{2})$"
_WRONG = {
    "customer": Text("is empty", "が空です"),
    "item": Text("is empty", "が空です"),
    "day": Text(
        "is not a date such as 2011/1/31 or 2011-01-31",
        "は 2011/1/31 や 2011-01-31 のような日付ではありません",
    ),
    "price": Text(
        f"is not a price: a number below {MAX_PRICE:,} with at most {MAX_DECIMALS} decimals",
        f"は価格ではありません。{MAX_PRICE:,} 未満で小数 {MAX_DECIMALS} 桁までの数値にしてください",
    ),
    "quantity": Text(
        "is not a whole number of at most 15 digits", "は 15 桁までの整数ではありません"
    ),
}
_GAP = Text(
    "every row needs one, or leave the column out",
    "すべての行に必要です。なければこの列を除いてください",
)
_WRONG_VALUE = {
    "item": Text(f"is empty: {_GAP.en}", f"が空です。{_GAP.ja}"),
    "day": Text(
        f"is not a date such as 2011-01-31: {_GAP.en}",
        f"は 2011-01-31 のような日付ではありません。{_GAP.ja}",
    ),
    "price": Text(
        f"is not a number below {MAX_PRICE:,} with at most {MAX_DECIMALS} decimals: {_GAP.en}",
        f"は {MAX_PRICE:,} 未満で小数 {MAX_DECIMALS} 桁までの数値ではありません。{_GAP.ja}",
    ),
}


def is_value(own: str) -> bool:
    """Whether it is the name of a further value: value1, value2 …"""
    return re.fullmatch("value[1-9][0-9]{0,3}", own) is not None


def likeness(cells: pl.Series) -> str:
    """Which column a further value is like: day, price or item; gaps do not decide."""
    if cells.dtype in (pl.Date, pl.Datetime):
        return "day"
    if cells.dtype.is_float() or cells.dtype.is_decimal():
        return "price"
    if cells.dtype != pl.String and not cells.dtype.is_integer():
        return "item"
    text = cells.drop_nulls().cast(pl.String).str.strip_chars().unique()
    text = text.filter(text != "")
    if not len(text) or text.str.contains(CODE).any():
        return "item"
    if not read_column(text, "day").null_count():
        return "day"
    numbers = text.cast(pl.Float64, strict=False)
    return "price" if numbers.is_finite().fill_null(False).all() else "item"


def as_columns(
    frame: pl.DataFrame, names: Mapping[str, str], *, where: str = "", line_of: LineOf | None = None
) -> tuple[pl.DataFrame, dict[str, str]]:
    """The columns under their own names and types, then all others as they are.

    And what each further value is like.
    """
    found = given_columns(frame.columns, names, where)
    if not frame.height:
        raise InputError(_at(where, Text("no purchases", "購買履歴がありません")))
    like = {own: likeness(frame[name]) for own, name in found.items() if is_value(own)}
    columns = {own: read_column(frame[name], like.get(own, own)) for own, name in found.items()}
    faults = [
        fault
        for own, read in columns.items()
        for fault in _faults(frame[found[own]], read, own, like, line_of)
    ]
    if faults:
        total = sum(int(read.null_count()) for read in columns.values())
        raise InputError(_at(where, unreadable(total)), faults=faults, total=total)
    others = frame.drop(list(found.values()), strict=False)
    cells = {
        own: columns[own] if own in columns else pl.repeat(ABSENT[own], frame.height, eager=True)
        for own in (*COLUMNS, *like)
    }
    read = pl.DataFrame([read.alias(own) for own, read in cells.items()])
    return read.hstack(others.drop([name for name in cells if name in others.columns])), like


def given_columns(
    there: Sequence[str], names: Mapping[str, str], where: str = ""
) -> dict[str, str]:
    """What the file calls each column of a history that it has; customer and day must be there.

    Item, price and quantity may be absent, unless a name was given for them. Further values are
    those that are named.
    """
    found = {own: names.get(own, own) for own in COLUMNS}
    values = {own: name for own, name in names.items() if is_value(own)}
    absent = [own for own in ABSENT if found[own] == own and own not in there]
    if len(absent) == len(ABSENT) and not values:
        absent = []  # customer and day alone: more likely nobody named the columns
    found = {own: name for own, name in found.items() if own not in absent} | values
    require_present(there, found, where)
    return found


def read_column(series: pl.Series, own: str) -> pl.Series:
    """A column in its type; null where a cell cannot be read."""
    if own in ("customer", "item"):
        text = _integral(series).cast(pl.String).str.strip_chars()
        return text.set(text == "", None)
    if own == "day":
        return _days(series)
    plain = series.str.strip_chars() if series.dtype == pl.String else series
    if plain.dtype == pl.Float32:
        plain = plain.cast(pl.String)  # its shortest decimal: 5.95, not 5.949999809265137
    numbers = plain.cast(pl.Float64, strict=False)
    if own == "price":
        values = numbers.fill_null(np.nan).to_numpy()
        exact = _rounded(values, MAX_DECIMALS)
        noise = 1e-12 * np.maximum(np.abs(values), 1)  # 1.6600000000000001 is 1.66
        good = (np.abs(values) < MAX_PRICE) & (np.abs(exact - values) <= noise)
        return pl.Series(np.where(good, exact, 0.0)).set(pl.Series(~good), None)
    whole = numbers.is_finite() & (numbers == numbers.round()) & (numbers.abs() < MAX_QUANTITY)
    return numbers.set(~whole.fill_null(False), None).cast(pl.Int64)


def price_decimals(prices: pl.Series) -> int:
    """The fewest decimals, at least two, with which every price is written exactly."""
    values = prices.to_numpy()
    for decimals in range(2, MAX_DECIMALS):
        if np.array_equal(_rounded(values, decimals), values):
            return decimals
    return MAX_DECIMALS


def _rounded(values: np.ndarray, decimals: int) -> np.ndarray:
    """In NumPy: Polars divides by multiplying with the reciprocal, which is not exact."""
    return np.asarray(np.round(values * 10.0**decimals) / 10.0**decimals)


def _integral(series: pl.Series) -> pl.Series:
    """Codes that a spreadsheet made 17850.0 are 17850 again."""
    if not series.dtype.is_float():
        return series
    whole = series.cast(pl.Int64, strict=False)
    return whole if ((whole == series) | series.is_null()).all() else series


def _days(series: pl.Series) -> pl.Series:
    if series.dtype == pl.Date:
        return series
    if series.dtype == pl.Datetime:
        return series.dt.date()  # of the clock on the wall: a cast would take UTC
    text = series.cast(pl.String).str.strip_chars().str.replace(_COMPACT, "$1-$2-$3")
    text = text.set(~text.str.contains(_DAY).fill_null(False), None)
    part = text.str.replace(r"[ T].*$", "").str.replace_all("/", "-")
    return part.str.strptime(pl.Date, "%Y-%m-%d", strict=False)


def require_present(names: Sequence[str], found: Mapping[str, str], where: str) -> None:
    """Fail, with a remedy, unless each of a history's columns is there, a column of its own."""
    missing = {own: name for own, name in found.items() if name not in names}
    if missing:
        wanted = ", ".join(f"{own}={name}" for own, name in missing.items())
        listed = ", ".join(names)
        reason = Text(
            f"no column for {wanted}; the columns are {listed}. Name them, for example "
            f"{next(iter(missing))}=NAME",
            f"{wanted} の列がありません。列は {listed} です。"
            f"{next(iter(missing))}=列名 のように指定してください",
        )
        raise InputError(_at(where, reason))
    if len(set(found.values())) < len(found):
        reason = Text(
            "one column cannot be two columns of a history", "一つの列を二つの列には使えません"
        )
        raise InputError(_at(where, reason))


def _faults(
    raw: pl.Series, read: pl.Series, own: str, like: Mapping[str, str], line_of: LineOf | None
) -> list[Fault]:
    bad = read.is_null().arg_true().head(FAULTS_SHOWN).to_list()
    wrong = _WRONG_VALUE[like[own]] if own in like else _WRONG[own]
    return [cell_fault(raw, row, line_of, rule=f"history-{own}", wrong=wrong) for row in bad]


def unreadable(total: int) -> Text:
    """Why a file with so many bad cells is refused."""
    return Text(
        f"{total} cell(s) cannot be read as purchases", f"読めないセルが {total} 個あります"
    )


def _at(where: str, reason: Text) -> Text:
    place = f"{where}: " if where else ""
    return Text(f"{place}{reason.en}", f"{place}{reason.ja}")
