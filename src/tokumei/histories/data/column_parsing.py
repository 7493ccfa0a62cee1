"""Finds the columns of a history by name and parses them; lists every bad cell.

Customer and day must be there, item, price and quantity may be, and further values as `value1`,
`value2` … Each of these is like one of the others: days like the day, numbers like the price, all
else like the item; it is read, generalized, measured and written as that one is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, Violation
from tokumei.core.generalized_cells import LineOfRow, cell_violation
from tokumei.core.messages import Message

COLUMNS = ("customer", "day", "item", "price", "quantity")
NUMBERS = ("day", "price", "quantity")
"""The columns that are generalized to intervals."""
DEFAULT_CELLS: dict[str, str | float] = {"item": "-", "price": 0.0, "quantity": 1}
"""What stands for a column that a history need not have; it is never written."""
MAX_DECIMALS = 6
MAX_PRICE = 10**9
MAX_QUANTITY = 10**15
_DAY_PATTERN = r"^\d{4}[/-]\d{1,2}[/-]\d{1,2}([ T]\d.*)?$"
CODE_PATTERN = r"^[+-]?0\d"
"""A number with a leading zero is a code."""
_COMPACT_DAY_PATTERN = r"^((?:19|20)\d{2})(\d{2})(\d{2})$"
_COLUMN_ERRORS = {
    "customer": Message("the cell is empty"),
    "item": Message("the cell is empty"),
    "day": Message("'{cell}' is not a date such as 2011/1/31 or 2011-01-31"),
    "price": Message(
        "'{cell}' is not a price: a number below {limit:,} with at most {decimals} decimals"
    ).fill(limit=MAX_PRICE, decimals=MAX_DECIMALS),
    "quantity": Message("'{cell}' is not a whole number of at most 15 digits"),
}
_VALUE_ERRORS = {
    "item": Message("the cell is empty: every row needs one, or leave the column out"),
    "day": Message(
        "'{cell}' is not a date such as 2011-01-31: every row needs one, or leave the column out"
    ),
    "price": Message(
        "'{cell}' is not a number below {limit:,} with at most {decimals} decimals: every row "
        "needs one, or leave the column out"
    ).fill(limit=MAX_PRICE, decimals=MAX_DECIMALS),
}


def is_value_column(name: str) -> bool:
    """Whether it is the name of a further value: value1, value2 …"""
    return re.fullmatch("value[1-9][0-9]{0,3}", name) is not None


def infer_value_type(cells: pl.Series) -> str:
    """Which column a further value is like: day, price or item; gaps do not decide."""
    if cells.dtype in (pl.Date, pl.Datetime):
        return "day"
    if cells.dtype.is_float() or cells.dtype.is_decimal():
        return "price"
    if cells.dtype != pl.String and not cells.dtype.is_integer():
        return "item"
    text = cells.drop_nulls().cast(pl.String).str.strip_chars().unique()
    text = text.filter(text != "")
    if not len(text) or text.str.contains(CODE_PATTERN).any():
        return "item"
    if not parse_column(text, "day").null_count():
        return "day"
    numbers = text.cast(pl.Float64, strict=False)
    return "price" if numbers.is_finite().fill_null(False).all() else "item"


def parse_columns(
    frame: pl.DataFrame,
    names: Mapping[str, str],
    *,
    where: str = "",
    line_of: LineOfRow | None = None,
) -> tuple[pl.DataFrame, dict[str, str]]:
    """The columns under their own names and types, then all others as they are.

    And what each further value is like.
    """
    source_names = resolve_column_names(frame.columns, names, where)
    if not frame.height:
        raise InputError(_with_location(where, Message("no purchases")))
    like = {
        column: infer_value_type(frame[name])
        for column, name in source_names.items()
        if is_value_column(column)
    }
    columns = {
        column: parse_column(frame[name], like.get(column, column))
        for column, name in source_names.items()
    }
    faults = [
        fault
        for column, parsed in columns.items()
        for fault in _cell_violations(frame[source_names[column]], parsed, column, like, line_of)
    ]
    if faults:
        total = sum(int(parsed.null_count()) for parsed in columns.values())
        raise InputError(
            _with_location(where, unreadable_message(total)), faults=faults, total=total
        )
    others = frame.drop(list(source_names.values()), strict=False)
    cells = {
        column: columns[column]
        if column in columns
        else pl.repeat(DEFAULT_CELLS[column], frame.height, eager=True)
        for column in (*COLUMNS, *like)
    }
    parsed = pl.DataFrame([parsed.alias(column) for column, parsed in cells.items()])
    return parsed.hstack(others.drop([name for name in cells if name in others.columns])), like


def resolve_column_names(
    file_columns: Sequence[str], names: Mapping[str, str], where: str = ""
) -> dict[str, str]:
    """What the file calls each column of a history that it has; customer and day must be there.

    Item, price and quantity may be absent, unless a name was given for them. Further values are
    those that are named.
    """
    source_names = {column: names.get(column, column) for column in COLUMNS}
    values = {column: name for column, name in names.items() if is_value_column(column)}
    absent = [
        column
        for column in DEFAULT_CELLS
        if source_names[column] == column and column not in file_columns
    ]
    if len(absent) == len(DEFAULT_CELLS) and not values:
        absent = []  # customer and day alone: more likely nobody named the columns
    source_names = {
        column: name for column, name in source_names.items() if column not in absent
    } | values
    require_columns(file_columns, source_names, where)
    return source_names


def parse_column(series: pl.Series, column: str) -> pl.Series:
    """A column in its type; null where a cell cannot be read."""
    if column in ("customer", "item"):
        text = _restore_integer_codes(series).cast(pl.String).str.strip_chars()
        return text.set(text == "", None)
    if column == "day":
        return _parse_days(series)
    plain = series.str.strip_chars() if series.dtype == pl.String else series
    if plain.dtype == pl.Float32:
        plain = plain.cast(pl.String)  # its shortest decimal: 5.95, not 5.949999809265137
    numbers = plain.cast(pl.Float64, strict=False)
    if column == "price":
        values = numbers.fill_null(np.nan).to_numpy()
        exact = _round_decimals(values, MAX_DECIMALS)
        noise = 1e-12 * np.maximum(np.abs(values), 1)  # 1.6600000000000001 is 1.66
        good = (np.abs(values) < MAX_PRICE) & (np.abs(exact - values) <= noise)
        return pl.Series(np.where(good, exact, 0.0)).set(pl.Series(~good), None)
    whole = numbers.is_finite() & (numbers == numbers.round()) & (numbers.abs() < MAX_QUANTITY)
    return numbers.set(~whole.fill_null(False), None).cast(pl.Int64)


def price_decimals(prices: pl.Series) -> int:
    """The fewest decimals, at least two, with which every price is written exactly."""
    values = prices.to_numpy()
    for decimals in range(2, MAX_DECIMALS):
        if np.array_equal(_round_decimals(values, decimals), values):
            return decimals
    return MAX_DECIMALS


def _round_decimals(values: np.ndarray, decimals: int) -> np.ndarray:
    """In NumPy: Polars divides by multiplying with the reciprocal, which is not exact."""
    return np.asarray(np.round(values * 10.0**decimals) / 10.0**decimals)


def _restore_integer_codes(series: pl.Series) -> pl.Series:
    """Codes that a spreadsheet made 17850.0 are 17850 again."""
    if not series.dtype.is_float():
        return series
    whole = series.cast(pl.Int64, strict=False)
    return whole if ((whole == series) | series.is_null()).all() else series


def _parse_days(series: pl.Series) -> pl.Series:
    if series.dtype == pl.Date:
        return series
    if series.dtype == pl.Datetime:
        return series.dt.date()  # of the clock on the wall: a cast would take UTC
    text = series.cast(pl.String).str.strip_chars().str.replace(_COMPACT_DAY_PATTERN, "$1-$2-$3")
    text = text.set(~text.str.contains(_DAY_PATTERN).fill_null(False), None)
    part = text.str.replace(r"[ T].*$", "").str.replace_all("/", "-")
    return part.str.strptime(pl.Date, "%Y-%m-%d", strict=False)


def require_columns(names: Sequence[str], source_names: Mapping[str, str], where: str) -> None:
    """Fail, with a remedy, unless each of a history's columns is there, a column of its own."""
    missing = {column: name for column, name in source_names.items() if name not in names}
    if missing:
        missing_names = ", ".join(f"{column}={name}" for column, name in missing.items())
        reason = Message(
            "no column for {missing}; the columns are {columns}. Name them, for example "
            "{column}=NAME",
            missing=missing_names,
            columns=", ".join(names),
            column=next(iter(missing)),
        )
        raise InputError(_with_location(where, reason))
    if len(set(source_names.values())) < len(source_names):
        reason = Message("one column cannot be two columns of a history")
        raise InputError(_with_location(where, reason))


def _cell_violations(
    raw: pl.Series,
    parsed: pl.Series,
    column: str,
    like: Mapping[str, str],
    line_of: LineOfRow | None,
) -> list[Violation]:
    bad = parsed.is_null().arg_true().head(MAX_SHOWN_VIOLATIONS).to_list()
    message = _VALUE_ERRORS[like[column]] if column in like else _COLUMN_ERRORS[column]
    return [
        cell_violation(raw, row, line_of, rule=f"history-{column}", wrong=message) for row in bad
    ]


def unreadable_message(total: int) -> Message:
    """Why a file with so many bad cells is refused."""
    return Message(
        "{count} cell cannot be read as part of a purchase",
        plural="{count:,} cells cannot be read as part of a purchase",
        count=total,
    )


def _with_location(where: str, reason: Message) -> Message:
    return Message("{path}: {reason}", path=where, reason=reason) if where else reason
