"""Reads the UCI Online Retail file, and cleans it by named, counted rules.

    history, cleaned = OnlineRetail(keep=("non-product",)).cleaned("Online Retail.xlsx")

    cleaned = clean_online_retail(read_frame("Online Retail.xlsx"))
    cleaned.purchases       # customer, day, item, price, quantity, basket; in time order
    cleaned.items           # item, description
    cleaned.rules           # what every rule removed
    clean_online_retail(frame, keep=["non-product"], also=["duplicates"])
    clean_online_retail(frame, cleaning="pwscup")       # as the contests of 2017 and 2018 did

The rules apply in the order of `RULES`; each counts the rows that those before it had left.
`keep` leaves rules out, `also` adds those that are off otherwise. Kept rows may break what a
history needs: no-customer rows have a null customer, cancelled ones a negative quantity, and a
non-product's price below half a penny becomes 0, because prices are rounded to pence.

Item codes are trimmed and put into capitals, because the same article was typed in by hand both as
85123a and as 85123A. Nothing else is changed: a letter at the end is a variant, not a mistake. The
set `pwscup` leaves codes as written, and is the one whose counts the contests' papers print: it
keeps postage and fees, but neither bank charges nor pads, and no customer of unspecified country.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, UnknownNameError, Violation
from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath
from tokumei.files.frame_conversion import ArrowFrame, source_name
from tokumei.files.reading import load_source
from tokumei.histories.data.history import History
from tokumei.histories.formats.layout import HistoryLayout
from tokumei.histories.formats.retail_cleaning_rules import CLEANING_RULES, CLEANING_SETS

_DATE_FORMATS = (
    "%m/%d/%Y %H:%M",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d",
)


def to_trimmed_text(series: pl.Series) -> pl.Series:
    """Trimmed text, whatever type the writing program chose; blank cells and NaN are null."""
    without_nan = series.fill_nan(None) if series.dtype.is_float() else series
    text = without_nan.cast(pl.String).str.strip_chars()
    return text.set(text == "", None)


def parse_numbers(series: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Numbers of a type; an InputError names the cells that are none. Blank cells are null."""
    text = to_trimmed_text(series)
    numbers = text.cast(pl.Float64, strict=False)
    good = numbers.is_finite().fill_null(False)
    if dtype.is_integer():
        good &= (numbers == numbers.round()).fill_null(False)
    expected = Message("a whole number") if dtype.is_integer() else Message("a number")
    _require_good_cells(text, good | text.is_null(), expected)
    return numbers.cast(dtype)


def parse_timestamps(series: pl.Series) -> pl.Series:
    """Dates with time; an InputError names the cells that are none, blank ones included.

    Month first (12/1/2010 8:26), as in the English CSV: a day-first date is refused as soon as its
    day is beyond 12, never read in another order.
    """
    if series.dtype in (pl.Date, pl.Datetime):
        moments = series.cast(pl.Datetime("us"))
    else:
        text = to_trimmed_text(series).to_frame("text")
        tries = (pl.col("text").str.to_datetime(form, strict=False) for form in _DATE_FORMATS)
        moments = text.select(pl.coalesce(tries)).to_series()
    expected = Message("a date such as 12/31/2010 8:26 or 2010-12-31 08:26:00")
    _require_good_cells(series, moments.is_not_null(), expected)
    return moments


def _require_good_cells(series: pl.Series, good: pl.Series, expected: Message) -> None:
    """An InputError with the first rows (1-based, without the header) that are not `good`."""
    bad = (~good).arg_true()
    if not len(bad):
        return
    raise InputError(
        "{column}: {count} cell cannot be read as {expected}",
        plural="{column}: {count:,} cells cannot be read as {expected}",
        count=len(bad),
        faults=[_cell_violation(series, row, expected) for row in bad.head(MAX_SHOWN_VIOLATIONS)],
        total=len(bad),
        column=series.name,
        expected=expected,
    )


def _cell_violation(series: pl.Series, row: int, expected: Message) -> Violation:
    cell = "" if series[row] is None else series[row]
    message = Message(
        "row {row}: '{cell}' is not {expected}", row=row + 1, cell=cell, expected=expected
    )
    return Violation(rule="cell", column=series.name, message=message)


SOURCE_COLUMNS = (
    "InvoiceNo",
    "StockCode",
    "Description",
    "Quantity",
    "InvoiceDate",
    "UnitPrice",
    "CustomerID",
    "Country",
)


@dataclass(frozen=True)
class CleaningCount:
    """How many rows a rule removed."""

    name: str
    title: Message
    removed: int

    @property
    def removal_message(self) -> Message:
        """A note on how many rows a cleaning rule removed."""
        return Message(
            "{rule}: {count} row removed ({title})",
            plural="{rule}: {count} rows removed ({title})",
            rule=self.name,
            count=self.removed,
            title=self.title,
        )


@dataclass(frozen=True, eq=False)
class CleanedRetail:
    """What is left, and what became of the rest."""

    purchases: pl.DataFrame
    items: pl.DataFrame
    rules: list[CleaningCount]
    moments: pl.Series
    """Date and time of every purchase, in their order."""


@dataclass(frozen=True, kw_only=True)
class OnlineRetail(HistoryLayout):
    """The data set, cleaned; what is made of it has a header. See `clean_online_retail`."""

    name: ClassVar[str] = "online-retail"
    title: ClassVar[Message] = Message.verbatim("UCI Online Retail")

    cleaning: str = "default"
    keep: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    sep: str | None = None
    encoding: str = "auto"

    def read(self, path: AnyPath | ArrowFrame) -> History:
        """The purchases that are left."""
        return self.cleaned(path)[0]

    def read_with_notes(self, path: AnyPath | ArrowFrame) -> tuple[History, list[Message]]:
        """The purchases that are left, and what every rule removed."""
        history, cleaned = self.cleaned(path)
        return history, [rule.removal_message for rule in cleaned.rules]

    def cleaned(self, path: AnyPath | ArrowFrame) -> tuple[History, CleanedRetail]:
        """The purchases that are left, with all that cleaning found."""
        frame = load_source(path, self.sep, self.encoding).frame
        cleaned_retail = clean_online_retail(
            frame, keep=self.keep, also=self.also, cleaning=self.cleaning
        )
        return History.of(
            cleaned_retail.purchases, items=cleaned_retail.items, where=source_name(path)
        ), cleaned_retail


def clean_online_retail(
    frame: pl.DataFrame,
    *,
    keep: Collection[str] = (),
    also: Collection[str] = (),
    cleaning: str = "default",
) -> CleanedRetail:
    """The purchases in a frame with `COLUMNS`, by a set's rules but `keep`, and `also`."""
    valid = [rule.name for rule in CLEANING_RULES]
    for name in (*keep, *also):
        if name not in valid:
            raise UnknownNameError(Message("cleaning rule"), name, valid)
    if cleaning not in CLEANING_SETS:
        raise UnknownNameError(Message("cleaning set"), cleaning, list(CLEANING_SETS))
    _require_columns(frame)
    cleaning_set = CLEANING_SETS[cleaning]
    rows, counts = _parse_source_columns(frame, capitals=cleaning_set.capitals), []
    for rule in CLEANING_RULES:
        if rule.name in also or (rule.name in cleaning_set.rules and rule.name not in keep):
            remaining = rows.filter(~rule.wrong.fill_null(False))
            counts.append(CleaningCount(rule.name, rule.title, rows.height - remaining.height))
            rows = remaining
    moments = rows["moment"].sort()
    return CleanedRetail(_select_purchases(rows), _describe_items(rows), counts, moments)


def _require_columns(frame: pl.DataFrame) -> None:
    missing = [name for name in SOURCE_COLUMNS if name not in frame.columns]
    if missing:
        names = ", ".join(missing)
        raise InputError(
            "not the Online Retail file: no column {columns}",
            faults=[_missing_column_violation(name) for name in missing],
            columns=names,
        )


def _missing_column_violation(name: str) -> Violation:
    message = Message("column '{column}' is missing", column=name)
    return Violation(rule="columns", column=name, message=message)


def _parse_source_columns(frame: pl.DataFrame, *, capitals: bool) -> pl.DataFrame:
    """The columns under our names and in our types."""
    code = to_trimmed_text(frame["StockCode"])
    return pl.DataFrame(
        {
            "customer": to_trimmed_text(frame["CustomerID"]).str.replace(r"\.0+$", ""),
            "moment": parse_timestamps(frame["InvoiceDate"]),
            "item": code.str.to_uppercase() if capitals else code,
            "price": parse_numbers(frame["UnitPrice"], pl.Float64()),
            "quantity": parse_numbers(frame["Quantity"], pl.Int64()),
            "basket": to_trimmed_text(frame["InvoiceNo"]).str.to_uppercase(),
            "description": to_trimmed_text(frame["Description"]),
            "country": to_trimmed_text(frame["Country"]),
            "repeated": ~frame.select(SOURCE_COLUMNS).to_struct().is_first_distinct(),
        }
    )


def _select_purchases(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.sort("moment", maintain_order=True).select(
        "customer",
        pl.col("moment").dt.date().alias("day"),
        "item",
        pl.col("price").round(2),
        "quantity",
        "basket",
    )


def _describe_items(rows: pl.DataFrame) -> pl.DataFrame:
    """Every item with its most frequent description, of equally frequent ones the first by name."""
    return (
        rows.filter(pl.col("item").is_not_null())
        .group_by("item", "description")
        .agg(pl.col("description").count().alias("times"))
        .sort("item", "times", "description", descending=[False, True, False])
        .unique("item", keep="first", maintain_order=True)
        .select("item", pl.col("description").fill_null(""))
    )
