"""Rules about days, prices and quantities: plain, `*`, or `[a;b]` around the true value.

Values are whole numbers (days, millionths of the currency unit, pieces), so that 2.50 is 2.5 and
nothing is rounded.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_faults import STAR, cell_faults

PRICE_DECIMALS = 6
_DAY = "^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}$"
_PRICE = r"^-?([0-9]{1,12})(?:\.([0-9]{1,6}))?$"
_QUANTITY = "^-?[0-9]{1,15}$"
_FORMS = {
    "day": Text(
        "is neither a day such as 2011/1/31 nor * nor an interval [2011/1/1;2011/1/31]",
        "は 2011/1/31 のような日付でも * でも区間 [2011/1/1;2011/1/31] でもありません",
    ),
    "price": Text(
        f"is neither a price such as 2.95 (at most {PRICE_DECIMALS} decimals) nor * nor an "
        "interval [0.85;2.95]",
        f"は 2.95 のような価格 (小数 {PRICE_DECIMALS} 桁まで) でも * でも"
        "区間 [0.85;2.95] でもありません",
    ),
    "quantity": Text(
        "is neither a whole number nor * nor an interval [1;12]",
        "は整数でも * でも区間 [1;12] でもありません",
    ),
}
_ORDER = Text("is an interval whose ends are the wrong way round", "は区間の両端が逆です")
_TRUTH = Text(
    "does not hold the true value of that row of the original",
    "には元データのその行の値が含まれていません",
)


def number_faults(rows: pl.DataFrame, column: str) -> list[Fault]:
    """`day-form` (and so on), `interval-order`, `true-value`.

    The true values are in the column `true_day` (and so on), null where they are not known.
    """
    rows = rows.filter(pl.col(column) != STAR)
    if rows.is_empty():
        return []
    read = rows.join(_numbers(rows[column].unique()), on=column, how="left")
    low, high, true = pl.col("low"), pl.col("high"), pl.col(f"true_{column}")
    formless = low.is_null() | high.is_null()
    found = (
        (f"{column}-form", formless, _FORMS[column]),
        ("interval-order", low > high, _ORDER),
        ("true-value", (low <= high) & ((true < low) | (true > high)), _TRUTH),
    )
    return [
        fault
        for rule, broken, wrong in found
        for fault in cell_faults(read.filter(broken), column, rule=rule, wrong=wrong)
    ]


def _ends(cells: pl.Series) -> pl.DataFrame:
    """Both ends of the cells as text; a plain cell is both of its own."""
    cell = pl.col(cells.name)
    single = cell.str.count_matches(";", literal=True) == 1
    general = cell.str.starts_with("[") & cell.str.ends_with("]") & single
    ends = cell.str.slice(1).str.head(-1).str.split_exact(";", 1)
    low, high = (pl.when(general).then(ends.struct[end]).otherwise(cell) for end in (0, 1))
    return cells.to_frame().select(cell, low=low, high=high)


def _numbers(cells: pl.Series) -> pl.DataFrame:
    """Both ends of the cells as numbers, null where they are none."""
    ends = _ends(cells)
    distinct = pl.concat([ends["low"], ends["high"].alias("low")]).unique()
    values = distinct.to_frame().select(_value(pl.col("low"), cells.name)).to_series()
    read = pl.col("low", "high").replace_strict(distinct, values, return_dtype=pl.Int64)
    return ends.with_columns(read)


def _value(text: pl.Expr, column: str) -> pl.Expr:
    if column == "day":
        day = pl.when(text.str.contains(_DAY)).then(text)
        days = day.str.strptime(pl.Date, "%Y/%m/%d", strict=False)
        return days.cast(pl.Int32).cast(pl.Int64)
    if column == "quantity":
        return pl.when(text.str.contains(_QUANTITY)).then(text).cast(pl.Int64)
    return _millionths(text)


def _millionths(price: pl.Expr) -> pl.Expr:
    whole = price.str.extract(_PRICE, 1).cast(pl.Int64) * 10**PRICE_DECIMALS
    decimals = price.str.extract(_PRICE, 2).fill_null("")
    part = decimals.str.pad_end(PRICE_DECIMALS, "0").cast(pl.Int64)
    return pl.when(price.str.starts_with("-")).then(-(whole + part)).otherwise(whole + part)
