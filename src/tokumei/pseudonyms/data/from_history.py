"""Any purchase history as one to be released period by period.

    periods_of(read_history("T.csv", format="pws2018"))

What a history does not have is the same for all: invoice 0, time 0:00, customers without
attributes.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import polars as pl

from tokumei.pseudonyms.data.cell_text import day_text, price_text, quantity_text
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.master import MASTER_COLUMNS, Master
from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows


class Purchases(Protocol):
    """Any purchase history: its rows, customers by first appearance, prices as whole numbers."""

    @property
    def frame(self) -> pl.DataFrame:
        """Customer, day, item, price and quantity."""
        ...

    @property
    def decimals(self) -> int:
        """A price is a whole number of 10^-`decimals`."""
        ...

    @property
    def customers(self) -> pl.Series:
        """The customers, by first appearance."""
        ...

    def numbers(self, column: str) -> np.ndarray:
        """Days, prices or quantities as whole numbers."""
        ...


def periods_of(history: PeriodHistory | Purchases) -> PeriodHistory:
    """The same purchases, in the same order."""
    if isinstance(history, PeriodHistory):
        return history
    cells = history.frame.select("customer", "item").with_columns(
        pl.lit("0").alias("invoice"),
        pl.lit("0:00").alias("time"),
        day_text(history.numbers("day")),
        price_text(history.numbers("price") / 10**history.decimals),
        quantity_text(history.numbers("quantity")),
    )
    blank = (pl.lit("").alias(name) for name in MASTER_COLUMNS[1:])
    master = Master(history.customers.alias("customer").to_frame().with_columns(blank))
    return PeriodHistory.of(PeriodRows(cells.select(PERIOD_COLUMNS)), master)
