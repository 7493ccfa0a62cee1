"""A purchase history: who bought what, when, at which price, how many.

history = History.of(frame, customer="CustomerID", day="InvoiceDate", item="StockCode",
                     price="UnitPrice", quantity="Quantity")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import LineOf
from tokumei.core.codes import codes_in
from tokumei.core.errors import InputError
from tokumei.files.frames import to_polars
from tokumei.histories.data.columns import COLUMNS, as_columns, price_decimals

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

        Every cell must be there; days are dates (or text 2011/1/31, 2011-01-31), prices decimal
        numbers, quantities whole numbers. All cells that are not are listed.
        """
        if isinstance(source, History):
            return source
        names = dict(zip(COLUMNS, (customer, day, item, price, quantity), strict=True))
        frame = as_columns(to_polars(source), names, where=where, line_of=line_of)
        decimals = price_decimals(frame["price"])
        units = (pl.col("price") * 10**decimals).round().cast(pl.Int64)
        described = None if items is None else to_polars(items)
        return cls(frame.with_columns(units), decimals, described)

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
        return History(self.frame.with_columns(replaced.cast(pl.String)), self.decimals)

    def take(self, rows: np.ndarray) -> History:
        """The given purchases, in the given order."""
        return History(self.frame[rows], self.decimals, self.items)


__all__ = ["COLUMNS", "NUMBERS", "History"]
