"""The UCI Online Retail file as it is given out, cleaned into purchases by named, counted rules.

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

from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError, UnknownNameError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath
from tokumei.files.frames import Frame, source_name
from tokumei.files.reading import load_source
from tokumei.histories.data.history import History
from tokumei.histories.formats.layout import HistoryLayout
from tokumei.histories.formats.retail_rules import RULES, SETS

_FORMS = (
    "%m/%d/%Y %H:%M",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d",
)


def text_of(series: pl.Series) -> pl.Series:
    """Trimmed text, whatever type the writing program chose; blank cells and NaN are null."""
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
    """Dates with time; an InputError names the cells that are none, blank ones included.

    Month first (12/1/2010 8:26), as in the English CSV: a day-first date is refused as soon as its
    day is beyond 12, never read in another order.
    """
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


COLUMNS = (
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
    title: Text
    removed: int

    @property
    def note(self) -> Text:
        """What a reader of the file is told."""
        return Text(
            f"{self.name}: {self.removed} rows removed ({self.title.en})",
            f"{self.name}: {self.removed} 行を削除 ({self.title.ja})",
        )


@dataclass(frozen=True, eq=False)
class Cleaned:
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
    title: ClassVar[Text] = Text("UCI Online Retail", "UCI Online Retail")

    cleaning: str = "default"
    keep: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    sep: str | None = None
    encoding: str = "auto"

    def read(self, path: AnyPath | Frame) -> History:
        """The purchases that are left."""
        return self.cleaned(path)[0]

    def read_noted(self, path: AnyPath | Frame) -> tuple[History, list[Text]]:
        """The purchases that are left, and what every rule removed."""
        history, cleaned = self.cleaned(path)
        return history, [rule.note for rule in cleaned.rules]

    def cleaned(self, path: AnyPath | Frame) -> tuple[History, Cleaned]:
        """The purchases that are left, with all that cleaning found."""
        frame = load_source(path, self.sep, self.encoding).frame
        found = clean_online_retail(frame, keep=self.keep, also=self.also, cleaning=self.cleaning)
        return History.of(found.purchases, items=found.items, where=source_name(path)), found


def clean_online_retail(
    frame: pl.DataFrame,
    *,
    keep: Collection[str] = (),
    also: Collection[str] = (),
    cleaning: str = "default",
) -> Cleaned:
    """The purchases in a frame with `COLUMNS`, by a set's rules but `keep`, and `also`."""
    valid = [rule.name for rule in RULES]
    for name in (*keep, *also):
        if name not in valid:
            raise UnknownNameError(Text("cleaning rule", "クリーニング規則"), name, valid)
    if cleaning not in SETS:
        raise UnknownNameError(Text("cleaning set", "クリーニングの組"), cleaning, list(SETS))
    _require_columns(frame)
    chosen = SETS[cleaning]
    rows, counts = _plain(frame, capitals=chosen.capitals), []
    for rule in RULES:
        if rule.name in also or (rule.name in chosen.rules and rule.name not in keep):
            left = rows.filter(~rule.wrong.fill_null(False))
            counts.append(CleaningCount(rule.name, rule.title, rows.height - left.height))
            rows = left
    moments = rows["moment"].sort()
    return Cleaned(_purchases(rows), _items(rows), counts, moments)


def _require_columns(frame: pl.DataFrame) -> None:
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        names = ", ".join(missing)
        raise InputError(
            f"not the Online Retail file: no column {names}",
            f"Online Retail のファイルではありません。列がありません: {names}",
            faults=[_missing(name) for name in missing],
        )


def _missing(name: str) -> Fault:
    message = Text(f"column '{name}' is missing", f"列 '{name}' がありません")
    return Fault(rule="columns", column=name, message=message)


def _plain(frame: pl.DataFrame, *, capitals: bool) -> pl.DataFrame:
    """The columns under our names and in our types."""
    code = text_of(frame["StockCode"])
    return pl.DataFrame(
        {
            "customer": text_of(frame["CustomerID"]).str.replace(r"\.0+$", ""),
            "moment": moments_of(frame["InvoiceDate"]),
            "item": code.str.to_uppercase() if capitals else code,
            "price": numbers_of(frame["UnitPrice"], pl.Float64()),
            "quantity": numbers_of(frame["Quantity"], pl.Int64()),
            "basket": text_of(frame["InvoiceNo"]).str.to_uppercase(),
            "description": text_of(frame["Description"]),
            "country": text_of(frame["Country"]),
            "repeated": ~frame.select(COLUMNS).to_struct().is_first_distinct(),
        }
    )


def _purchases(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.sort("moment", maintain_order=True).select(
        "customer",
        pl.col("moment").dt.date().alias("day"),
        "item",
        pl.col("price").round(2),
        "quantity",
        "basket",
    )


def _items(rows: pl.DataFrame) -> pl.DataFrame:
    """Every item with its most frequent description, of equally frequent ones the first by name."""
    return (
        rows.filter(pl.col("item").is_not_null())
        .group_by("item", "description")
        .agg(pl.col("description").count().alias("times"))
        .sort("item", "times", "description", descending=[False, True, False])
        .unique("item", keep="first", maintain_order=True)
        .select("item", pl.col("description").fill_null(""))
    )
