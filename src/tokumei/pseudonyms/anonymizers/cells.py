"""What a release does to the cells of a history: days, times, prices, quantities, invoices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from tokumei.core.cells import codes_in
from tokumei.core.randomness import Randomness, text_pseudonyms
from tokumei.pseudonyms.data.cell_text import day_text, price_text, quantity_text, time_text
from tokumei.pseudonyms.data.noise import (
    LAST_MINUTE,
    fixed_days,
    random_days,
    scaled_prices,
    shifted_days,
    shifted_minutes,
    shifted_quantities,
)
from tokumei.pseudonyms.data.rows import PeriodRows

Day = int | Literal["keep", "random"]
Time = Literal["keep", "hour", "constant", "random"]
Invoice = Literal["blank", "renumber", "keep"]
NOON = 12 * 60
BLANK = "0"


@dataclass(frozen=True)
class CellChanges:
    """The changes of every column; cells that are not to change keep their spelling."""

    day: Day
    day_shift: int
    time: Time
    time_shift: int
    price_noise: float
    quantity_noise: int
    invoice: Invoice

    def apply(self, rows: PeriodRows, *, rng: Randomness) -> pl.DataFrame:
        """All cells of the rows, changed."""
        changed = [
            self._days(rows, rng.child("day")),
            self._times(rows, rng.child("time")),
            self._prices(rows, rng.child("price")),
            self._quantities(rows, rng.child("quantity")),
            self._invoices(rows, rng.child("invoice")),
        ]
        return rows.cells.with_columns(changed)

    def _days(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if self.day == "random":
            return day_text(random_days(rows.days, rng))
        if self.day != "keep":
            return day_text(fixed_days(rows.days, self.day))
        if self.day_shift:
            return day_text(shifted_days(rows.days, self.day_shift, rng))
        return rows.cells["day"]

    def _times(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if self.time_shift:
            return time_text(shifted_minutes(rows.minutes, self.time_shift, rng))
        if self.time == "keep":
            return rows.cells["time"]
        if self.time == "hour":
            return time_text(rows.minutes // 60 * 60)
        if self.time == "constant":
            return time_text(np.full(rows.rows, NOON))
        return time_text(rng.generator.integers(0, LAST_MINUTE + 1, rows.rows))

    def _prices(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if not self.price_noise:
            return rows.cells["price"]
        return price_text(scaled_prices(rows.prices, self.price_noise, rng))

    def _quantities(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if not self.quantity_noise:
            return rows.cells["quantity"]
        return quantity_text(shifted_quantities(rows.quantities, self.quantity_noise, rng))

    def _invoices(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        old = rows.cells["invoice"]
        if self.invoice == "keep":
            return old
        if self.invoice == "blank":
            return pl.repeat(BLANK, rows.rows, dtype=pl.String, eager=True).alias("invoice")
        names = old.unique().sort()
        new = text_pseudonyms(len(names), taken=names, rng=rng)
        return new.gather(codes_in(old, names)).alias("invoice")
