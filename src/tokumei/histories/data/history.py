"""A purchase history: customer, item, day, price, quantity and further columns.

history = History.of(frame, customer="CustomerID", day="InvoiceDate", item="StockCode",
                     price="UnitPrice", quantity="Quantity", value1="Discount", value2="Store")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.datasets.purchases import sample_purchases
from tokumei.core.errors import InputError, UnknownNameError
from tokumei.core.generalized_cells import LineOfRow, positions_in
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import DatePreferences
from tokumei.files.column_types import infer_column_types
from tokumei.files.frame_conversion import to_polars
from tokumei.histories.data.column_parsing import (
    COLUMNS,
    NUMBERS,
    is_value_column,
    parse_columns,
    price_decimals,
    resolve_column_names,
)
from tokumei.histories.data.normalization import normalize_cells


@dataclass(frozen=True, eq=False)
class History:
    """Purchases in file order: customer, day, item, price, quantity, value1 … (and the rest).

    Prices, and numbers like them, are whole numbers of 10^-`decimals` currency units, so that
    nothing is ever rounded. `items` describes the items: item, description, and category where
    known.
    """

    frame: pl.DataFrame
    decimals: int = 2
    items: pl.DataFrame | None = None
    recoded: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    """What the source calls its columns, in its order; empty: as here."""
    like: Mapping[str, str] = field(default_factory=dict)
    """For each further value which column its cells are like: day, price or item."""
    format: str = "table"
    """The layout of the source, in which releases are written."""

    @classmethod
    def of(
        cls,
        source: object,
        *,
        customer: str = "customer",
        day: str = "day",
        item: str = "item",
        price: str = "price",
        quantity: str = "quantity",
        items: object = None,
        where: str = "",
        line_of: LineOfRow | None = None,
        no_normalize: Sequence[str] = (),
        date_order: str = "",
        **values: str,
    ) -> History:
        """From a pandas, Polars or Arrow frame (or a History), naming the columns that differ.

        A history has customers and days, and at least one of item, price, quantity and further
        values, `value1="Discount"`, `value2="Store"` …: days, numbers or anything else.

        Every cell must be there; days are dates (or text), prices decimal numbers, quantities
        whole numbers. All cells that are not are listed. Texts such as ￥1,415 are read as those of
        a file, unless `no_normalize` names the rule (or "all"); so are days, by `date_order`.
        """
        if isinstance(source, History):
            return source
        for column in values:
            require_column_name(column)
        names = dict(zip(COLUMNS, (customer, day, item, price, quantity), strict=True)) | values
        cells = to_polars(source)
        source_columns = cells.columns
        columns = resolve_column_names(source_columns, names, where)
        if "all" not in no_normalize:
            cells = cells.with_columns(infer_column_types(cells.select(columns.values())))
            cells = normalize_cells(
                cells, columns, frozenset(no_normalize), DatePreferences(date_order)
            )[0]
        frame, like = parse_columns(cells, names, where=where, line_of=line_of)
        own_names = {name: column for column, name in columns.items()}
        source_names = {own_names[name]: name for name in source_columns if name in own_names}
        prices = ["price", *(column for column, other in like.items() if other == "price")]
        decimals = max(price_decimals(frame[name]) for name in prices)
        units = (pl.col(prices) * 10**decimals).round().cast(pl.Int64)
        descriptions = None if items is None else to_polars(items)
        return cls(frame.with_columns(units), decimals, descriptions, names=source_names, like=like)

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
        return positions_in(self.frame["customer"], self.customers)

    @cached_property
    def item_names(self) -> pl.Series:
        """The distinct items, sorted as text."""
        return self.frame["item"].unique().sort()

    @cached_property
    def item_codes(self) -> np.ndarray:
        """The place of every row's item in `item_names`."""
        return positions_in(self.frame["item"], self.item_names)

    @cached_property
    def counts(self) -> np.ndarray:
        """Rows per customer, in the order of `customers`."""
        return np.bincount(self.customer_codes, minlength=len(self.customers))

    @property
    def columns(self) -> tuple[str, ...]:
        """Customer, day, item, price, quantity, and further values."""
        return (*COLUMNS, *self.like)

    @property
    def number_columns(self) -> tuple[str, ...]:
        """The columns that are generalized to intervals."""
        return (
            *NUMBERS,
            *(column for column, value_type in self.like.items() if value_type != "item"),
        )

    @property
    def set_values(self) -> tuple[str, ...]:
        """The further values that are generalized to sets, as items are."""
        return tuple(column for column, value_type in self.like.items() if value_type == "item")

    @cached_property
    def _set_values_and_codes(self) -> dict[str, tuple[pl.Series, np.ndarray]]:
        names = {column: self.frame[column].unique().sort() for column in self.set_values}
        return {
            column: (distinct, positions_in(self.frame[column], distinct))
            for column, distinct in names.items()
        }

    def members(self, column: str) -> pl.Series:
        """The distinct cells of the items, or of a value like them, sorted as text."""
        return self.item_names if column == "item" else self._set_values_and_codes[column][0]

    def places(self, column: str) -> np.ndarray:
        """The place of every row's cell among the `members` of its column."""
        return self.item_codes if column == "item" else self._set_values_and_codes[column][1]

    def numbers(self, column: str) -> np.ndarray:
        """Days since 1970, price units or quantities, as whole numbers."""
        series = self.frame[column]
        days = series.cast(pl.Int32) if series.dtype == pl.Date else series
        return days.cast(pl.Int64).to_numpy()

    def unit(self, column: str) -> float:
        """How many of our whole numbers make one unit of the contest's loss (cents for prices)."""
        priced = self.like.get(column, column) == "price"
        return 10.0 ** (self.decimals - 2) if priced else 1.0

    def with_items(self, new: Mapping[str, str]) -> History:
        """Every item replaced by its category; all items must have one."""
        missing = [name for name in self.item_names if name not in new]
        if missing:
            raise InputError(
                "{count} item has no category: '{item}'",
                plural="{count:,} items have no category, such as '{item}'",
                count=len(missing),
                item=missing[0],
            )
        old = self.item_names
        replaced = pl.col("item").replace_strict(old, [new[name] for name in old])
        recoded = self.frame.with_columns(replaced.cast(pl.String))
        return replace(self, frame=recoded, items=None, recoded=True)

    def take(self, rows: np.ndarray) -> History:
        """The given purchases, in the given order."""
        return replace(self, frame=self.frame[rows])


def require_column_name(name: str) -> None:
    """Fail unless a history can have a column of this name."""
    if name not in COLUMNS and not is_value_column(name):
        raise UnknownNameError(Message("column of a history"), name, (*COLUMNS, "value1"))


__all__ = ["COLUMNS", "NUMBERS", "History"]


def sample_history(
    rows: int, *, customers: int | None = None, items: int | None = None, seed: int | None = None
) -> History:
    """A year of purchases of generated people, with item descriptions."""
    purchases, descriptions = sample_purchases(rows, customers=customers, items=items, seed=seed)
    return History.of(purchases, items=descriptions)
