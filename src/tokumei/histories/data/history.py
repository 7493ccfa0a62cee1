"""A purchase history: who bought what, when, at which price, how many.

history = History.of(frame, customer="CustomerID", day="InvoiceDate", item="StockCode",
                     price="UnitPrice", quantity="Quantity")

Columns are found by name and read strictly; every bad cell is listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import LineOf, cell_fault, codes_in
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError
from tokumei.core.shop.purchases import sample_purchases
from tokumei.core.text import Text
from tokumei.files.frames import to_polars

COLUMNS = ("customer", "day", "item", "price", "quantity")
ABSENT: dict[str, str | float] = {"item": "-", "price": 0.0, "quantity": 1}
"""What stands for a column that a history need not have; it is never written."""
MAX_DECIMALS = 6
MAX_PRICE = 10**9
MAX_QUANTITY = 10**15
_DAY = r"^\d{4}[/-]\d{1,2}[/-]\d{1,2}([ T]\d.*)?$"
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


def as_columns(
    frame: pl.DataFrame, names: Mapping[str, str], *, where: str = "", line_of: LineOf | None = None
) -> pl.DataFrame:
    """The five columns under their own names and types, then all others as they are."""
    found = given_columns(frame.columns, names, where)
    if not frame.height:
        raise InputError(_at(where, Text("no purchases", "購買履歴がありません")))
    columns = {own: read_column(frame[name], own) for own, name in found.items()}
    faults = [
        fault
        for own, read in columns.items()
        for fault in _faults(frame[found[own]], read, own, line_of)
    ]
    if faults:
        total = sum(int(read.null_count()) for read in columns.values())
        reason = Text(
            f"{total} cell(s) cannot be read as purchases", f"読めないセルが {total} 個あります"
        )
        raise InputError(_at(where, reason), faults=faults, total=total)
    others = frame.drop(list(found.values()), strict=False)
    cells = {
        own: columns[own] if own in columns else pl.repeat(ABSENT[own], frame.height, eager=True)
        for own in COLUMNS
    }
    return pl.DataFrame([read.alias(own) for own, read in cells.items()]).hstack(
        others.drop([name for name in COLUMNS if name in others.columns])
    )


def given_columns(
    there: Sequence[str], names: Mapping[str, str], where: str = ""
) -> dict[str, str]:
    """What the file calls each column of a history that it has; customer and day must be there.

    Item, price and quantity may be absent, unless a name was given for them.
    """
    found = {own: names.get(own, own) for own in COLUMNS}
    absent = [own for own in ABSENT if found[own] == own and own not in there]
    if len(absent) == len(ABSENT):
        absent = []  # customer and day alone: more likely nobody named the columns
    found = {own: name for own, name in found.items() if own not in absent}
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


def _faults(raw: pl.Series, read: pl.Series, own: str, line_of: LineOf | None) -> list[Fault]:
    bad = read.is_null().arg_true().head(FAULTS_SHOWN).to_list()
    return [cell_fault(raw, row, line_of, rule=f"history-{own}", wrong=_WRONG[own]) for row in bad]


def _at(where: str, reason: Text) -> Text:
    place = f"{where}: " if where else ""
    return Text(f"{place}{reason.en}", f"{place}{reason.ja}")


NUMBERS = ("day", "price", "quantity")
"""The columns that are generalized to intervals."""


@dataclass(frozen=True, eq=False)
class History:
    """Purchases in file order: customer, day, item, price, quantity (and what else was given).

    Prices are whole numbers of 10^-`decimals` currency units, so that nothing is ever rounded.
    `items` describes the items: item, description, and category where known.
    """

    frame: pl.DataFrame
    decimals: int = 2
    items: pl.DataFrame | None = None
    recoded: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    """What the source calls its columns, in its order; empty: as here."""

    @classmethod
    def of(
        cls,
        source: Any,
        *,
        customer: str = "customer",
        day: str = "day",
        item: str = "item",
        price: str = "price",
        quantity: str = "quantity",
        items: Any = None,
        where: str = "",
        line_of: LineOf | None = None,
    ) -> History:
        """From a pandas, Polars or Arrow frame (or a History), naming the columns that differ.

        A history has customers and days, and at least one of item, price and quantity.

        Every cell must be there; days are dates (or text 2011/1/31, 2011-01-31), prices decimal
        numbers, quantities whole numbers. All cells that are not are listed.
        """
        if isinstance(source, History):
            return source
        names = dict(zip(COLUMNS, (customer, day, item, price, quantity), strict=True))
        frame = as_columns(to_polars(source), names, where=where, line_of=line_of)
        there = to_polars(source).columns
        found = {name: own for own, name in given_columns(there, names, where).items()}
        called = {found[name]: name for name in there if name in found}
        decimals = price_decimals(frame["price"])
        units = (pl.col("price") * 10**decimals).round().cast(pl.Int64)
        described = None if items is None else to_polars(items)
        return cls(frame.with_columns(units), decimals, described, names=called)

    @property
    def rows(self) -> int:
        """How many purchases."""
        return self.frame.height

    @cached_property
    def customers(self) -> pl.Series:
        """The customers, by first appearance."""
        return self.frame["customer"].unique(maintain_order=True)

    @cached_property
    def customer_codes(self) -> np.ndarray:
        """The place of every row's customer in `customers`."""
        return codes_in(self.frame["customer"], self.customers)

    @cached_property
    def item_names(self) -> pl.Series:
        """The distinct items, sorted as text."""
        return self.frame["item"].unique().sort()

    @cached_property
    def item_codes(self) -> np.ndarray:
        """The place of every row's item in `item_names`."""
        return codes_in(self.frame["item"], self.item_names)

    @cached_property
    def counts(self) -> np.ndarray:
        """Rows per customer, in the order of `customers`."""
        return np.bincount(self.customer_codes, minlength=len(self.customers))

    def numbers(self, column: str) -> np.ndarray:
        """Days since 1970, price units or quantities, as whole numbers."""
        series = self.frame[column]
        return series.cast(pl.Int32 if column == "day" else pl.Int64).cast(pl.Int64).to_numpy()

    def unit(self, column: str) -> float:
        """How many of our whole numbers make one unit of the contest's loss (cents for prices)."""
        return 10.0 ** (self.decimals - 2) if column == "price" else 1.0

    def with_items(self, new: Mapping[str, str]) -> History:
        """Every item replaced by its category; all items must have one."""
        missing = [name for name in self.item_names if name not in new]
        if missing:
            raise InputError(
                f"{len(missing)} item(s) have no category, such as '{missing[0]}'",
                f"カテゴリーのない商品が {len(missing)} 種類あります (例 '{missing[0]}')",
            )
        old = self.item_names
        replaced = pl.col("item").replace_strict(old, [new[name] for name in old])
        return History(
            self.frame.with_columns(replaced.cast(pl.String)),
            self.decimals,
            recoded=True,
            names=self.names,
        )

    def take(self, rows: np.ndarray) -> History:
        """The given purchases, in the given order."""
        return History(self.frame[rows], self.decimals, self.items, self.recoded, self.names)


__all__ = ["COLUMNS", "NUMBERS", "History"]


def sample_history(
    rows: int, *, customers: int | None = None, items: int | None = None, seed: int | None = None
) -> History:
    """A year of purchases of generated people, with item descriptions."""
    purchases, described = sample_purchases(rows, customers=customers, items=items, seed=seed)
    return History.of(purchases, items=described)
