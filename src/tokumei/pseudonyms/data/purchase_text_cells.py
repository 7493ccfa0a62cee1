"""Purchases as text cells of a file: T, A(T), S or T_α; deleted rows are DEL.

    rows = PeriodRows(frame)                  # seven text columns
    rows.kept, rows.days, rows.prices         # what the cells mean
    months = Months.spanning(rows.days)

Attacks by exact keys and the judge compare cells as text, so the text is what is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, UsageError
from tokumei.core.generalized_cells import positions_in

NO_DAY = np.iinfo(np.int64).min
"""Stands where a row has no (valid) day."""


@dataclass(frozen=True)
class Months:
    """`count` months in a row; `first` counts months since January 1970."""

    first: int
    count: int

    @classmethod
    def spanning(cls, *days: np.ndarray) -> Months:
        """From the earliest month to the latest of all days (since 1970; NO_DAY is left out)."""
        valid_days = np.concatenate(days)
        valid_days = valid_days[valid_days != NO_DAY]
        if not len(valid_days):
            raise UsageError("no row has a day")
        first, last = (
            int(to_month_numbers(valid_days.min())),
            int(to_month_numbers(valid_days.max())),
        )
        return cls(first, last - first + 1)

    def of(self, days: np.ndarray) -> np.ndarray:
        """The period of every day, counted from 0; -1 for none and outside."""
        periods = to_month_numbers(days) - self.first
        inside = (days != NO_DAY) & (periods >= 0) & (periods < self.count)
        return np.where(inside, periods, -1)

    @property
    def names(self) -> list[str]:
        """The months as text: 2010-12."""
        return [str(np.datetime64(self.first + place, "M")) for place in range(self.count)]


def to_month_numbers(days: np.ndarray) -> np.ndarray:
    """Months since January 1970 of days since 1 January 1970 (0 where there is no day)."""
    valid_days = np.where(days == NO_DAY, 0, days)
    return np.asarray(valid_days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64))


PERIOD_COLUMNS = ("customer", "invoice", "day", "time", "item", "price", "quantity")
DELETED = "DEL"
NO_TIME = -1


@dataclass(frozen=True, eq=False)
class PeriodRows:
    """Rows in file order. A deleted row is DEL in its first cell and empty in all others.

    Cells that cannot be read as what their column says are NO_DAY, NO_TIME or NaN; the rule
    checker (`verify.periods`) lists them.
    """

    cells: pl.DataFrame = field(repr=False)

    def __post_init__(self) -> None:
        if tuple(self.cells.columns) != PERIOD_COLUMNS or set(self.cells.dtypes) != {pl.String}:
            raise InputError("text columns {columns} are needed", columns=", ".join(PERIOD_COLUMNS))

    def __repr__(self) -> str:
        return f"PeriodRows(rows={self.rows}, kept={int(self.kept.sum())})"

    @property
    def rows(self) -> int:
        """How many rows, deleted ones included."""
        return self.cells.height

    @cached_property
    def kept(self) -> np.ndarray:
        """Which rows are not deleted."""
        return (self.cells["customer"] != DELETED).to_numpy()

    @cached_property
    def people(self) -> pl.Series:
        """The distinct customers (or pseudonyms) of the rows that are kept, sorted as text."""
        return self.cells["customer"].filter(pl.Series(self.kept)).unique().sort()

    @cached_property
    def person(self) -> np.ndarray:
        """The place of every row's customer (or pseudonym) in `people`; -1 where deleted."""
        return positions_in(self.cells["customer"], self.people)

    @cached_property
    def days(self) -> np.ndarray:
        """Days since 1970."""
        dates = self.cells["day"].str.strptime(pl.Date, "%Y/%m/%d", strict=False)
        return dates.cast(pl.Int32).cast(pl.Int64).fill_null(NO_DAY).to_numpy()

    @cached_property
    def minutes(self) -> np.ndarray:
        """Minutes since midnight."""
        parts = self.cells["time"].str.extract_groups(r"^(\d{1,2}):(\d{2})$").struct.unnest()
        hour, minute = (parts[name].cast(pl.Int64) for name in ("1", "2"))
        valid = (hour < 24) & (minute < 60)
        return (hour * 60 + minute).set(~valid, None).fill_null(NO_TIME).to_numpy()

    @cached_property
    def prices(self) -> np.ndarray:
        """Unit prices."""
        return _parse_numbers(self.cells["price"])

    @cached_property
    def quantities(self) -> np.ndarray:
        """Quantities."""
        return _parse_numbers(self.cells["quantity"])

    def take(self, rows: np.ndarray) -> PeriodRows:
        """The given rows (places, or a choice by bool), in the given order."""
        places = np.flatnonzero(rows) if rows.dtype == bool else rows
        return PeriodRows(self.cells[places])

    def with_deleted(self, gone: np.ndarray) -> PeriodRows:
        """The same rows, those chosen deleted."""
        blank = {name: "" for name in PERIOD_COLUMNS} | {"customer": DELETED}
        choice = pl.Series(gone)
        return PeriodRows(
            self.cells.with_columns(
                pl.when(choice).then(pl.lit(empty)).otherwise(pl.col(name)).alias(name)
                for name, empty in blank.items()
            )
        )

    def public(self) -> PeriodRows:
        """What attackers see (S): deleted rows gone, lines sorted as text."""
        kept_cells = self.cells.filter(pl.Series(self.kept))
        return PeriodRows(
            kept_cells[
                kept_cells.select(pl.concat_str(pl.all(), separator=",")).to_series().arg_sort()
            ]
        )


def _parse_numbers(text: pl.Series) -> np.ndarray:
    return text.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
