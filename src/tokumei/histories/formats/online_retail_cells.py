"""The cells of the Online Retail file, whose types depend on the program that wrote it.

    text_of(pl.Series([17850.0, None]))             # "17850.0", null
    moments_of(pl.Series(["12/1/2010 8:26"]))       # month first, as in the English CSV

A day-first date is refused as soon as its day is beyond 12, never read in another order.
"""

from __future__ import annotations

import polars as pl

from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError
from tokumei.core.text import Text

_FORMS = (
    "%m/%d/%Y %H:%M",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d",
)


def text_of(series: pl.Series) -> pl.Series:
    """Trimmed text; blank cells and NaN are null."""
    known = series.fill_nan(None) if series.dtype.is_float() else series
    text = known.cast(pl.String).str.strip_chars()
    return text.set(text == "", None)


def numbers_of(series: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Numbers of a type; an InputError names the cells that are none. Blank cells are null."""
    text = text_of(series)
    numbers = text.cast(pl.Float64, strict=False)
    good = numbers.is_finite().fill_null(False)
    if dtype.is_integer():
        good &= (numbers == numbers.round()).fill_null(False)
    what = Text("a whole number", "整数") if dtype.is_integer() else Text("a number", "数値")
    _require_cells(text, good | text.is_null(), what)
    return numbers.cast(dtype)


def moments_of(series: pl.Series) -> pl.Series:
    """Dates with time; an InputError names the cells that are none, blank ones included."""
    if series.dtype in (pl.Date, pl.Datetime):
        moments = series.cast(pl.Datetime("us"))
    else:
        text = text_of(series).to_frame("text")
        tries = (pl.col("text").str.to_datetime(form, strict=False) for form in _FORMS)
        moments = text.select(pl.coalesce(tries)).to_series()
    what = Text("a date such as 12/31/2010 8:26 or 2010-12-31 08:26:00", "日時")
    _require_cells(series, moments.is_not_null(), what)
    return moments


def _require_cells(series: pl.Series, good: pl.Series, what: Text) -> None:
    """An InputError with the first rows (1-based, without the header) that are not `good`."""
    bad = (~good).arg_true()
    if not len(bad):
        return
    raise InputError(
        f"{series.name}: {len(bad)} cells are not {what.en}",
        f"{series.name}: {what.ja}でないセルが {len(bad)} 個あります",
        faults=[_cell_fault(series, row, what) for row in bad.head(FAULTS_SHOWN)],
        total=len(bad),
    )


def _cell_fault(series: pl.Series, row: int, what: Text) -> Fault:
    cell = "" if series[row] is None else series[row]
    message = Text(
        f"row {row + 1}: '{cell}' is not {what.en}",
        f"{row + 1} 行目: '{cell}' は{what.ja}ではありません",
    )
    return Fault(rule="cell", column=series.name, message=message)
