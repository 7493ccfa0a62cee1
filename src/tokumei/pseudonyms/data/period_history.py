"""A history released by period: purchases (T), customers (M), months.

history = PeriodHistory.of(read_rows("T.csv"), read_master("M.csv"))
history.months.names          # ['2010-12', …]
history.person, history.period    # the customer (place in M) and the month of every row
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError
from tokumei.core.generalized_cells import LineOfRow, cell_violation, positions_in
from tokumei.core.messages import Message
from tokumei.pseudonyms.data.noise import format_days, format_prices, format_quantities
from tokumei.pseudonyms.data.purchase_text_cells import (
    DELETED,
    NO_DAY,
    NO_TIME,
    PERIOD_COLUMNS,
    Months,
    PeriodRows,
)

MASTER_COLUMNS = ("customer", "sex", "birth", "country")


@dataclass(frozen=True, eq=False)
class CustomerMaster:
    """One row per customer, text cells, in the file's order; other columns are kept."""

    frame: pl.DataFrame = field(repr=False)

    @property
    def customers(self) -> pl.Series:
        """The identifiers, in the file's order."""
        return self.frame["customer"]

    def __repr__(self) -> str:
        return f"Master(customers={self.frame.height})"


_CELL_ERRORS = {
    "customer": Message("'{cell}' is not among the customers"),
    "day": Message("'{cell}' is not a day such as 2011/1/31"),
    "time": Message("'{cell}' is not a time such as 9:05"),
    "price": Message("'{cell}' is not a price"),
    "quantity": Message("'{cell}' is not a quantity"),
}
_DELETED_ERROR = Message("'{cell}' stands for a deleted row")


@dataclass(frozen=True, eq=False)
class PeriodHistory:
    """An original: every row has a customer of M, a day, a time, a price and a quantity."""

    rows: PeriodRows = field(repr=False)
    master: CustomerMaster = field(repr=False)
    months: Months

    @classmethod
    def of(
        cls,
        rows: PeriodRows,
        master: CustomerMaster,
        *,
        where: str = "",
        line_of: LineOfRow | None = None,
    ) -> PeriodHistory:
        """The original of these rows and customers; cells that cannot be used are listed."""
        _require_usable_cells(rows, master, where, line_of)
        return cls(rows, master, Months.spanning(rows.days))

    def __repr__(self) -> str:
        people, periods = len(self.master.customers), self.months.count
        return f"PeriodHistory(rows={self.rows.rows}, customers={people}, periods={periods})"

    @property
    def frame(self) -> pl.DataFrame:
        """The cells of the purchases as text."""
        return self.rows.cells

    @cached_property
    def person(self) -> np.ndarray:
        """The place of every row's customer in M."""
        return positions_in(self.rows.cells["customer"], self.master.customers)

    @cached_property
    def period(self) -> np.ndarray:
        """The month of every row, counted from 0."""
        return self.months.of(self.rows.days)

    @cached_property
    def items(self) -> pl.Series:
        """The distinct items, sorted as text."""
        return self.rows.cells["item"].unique().sort()

    @cached_property
    def item(self) -> np.ndarray:
        """The place of every row's item in `items`."""
        return positions_in(self.rows.cells["item"], self.items)


def _require_usable_cells(
    rows: PeriodRows, master: CustomerMaster, where: str, line_of: LineOfRow | None
) -> None:
    broken = {
        "customer": positions_in(rows.cells["customer"], master.customers) < 0,
        "day": rows.days == NO_DAY,
        "time": rows.minutes == NO_TIME,
        "price": ~np.isfinite(rows.prices),
        "quantity": ~np.isfinite(rows.quantities),
    }
    total = sum(int(bad.sum()) for bad in broken.values())
    if not total and rows.rows and DELETED not in master.customers:
        return
    faults = [
        cell_violation(
            rows.cells[name], int(row), line_of, rule=f"history-{name}", wrong=_CELL_ERRORS[name]
        )
        for name, bad in broken.items()
        for row in np.flatnonzero(bad)[:MAX_SHOWN_VIOLATIONS]
    ]
    if DELETED in master.customers:
        place = master.customers.index_of(DELETED) or 0
        faults.append(
            cell_violation(
                master.customers, place, None, rule="history-customer", wrong=_DELETED_ERROR
            )
        )
        total += 1
    faults.sort(key=lambda fault: fault.line or 0)
    raise InputError(
        _unusable_message(rows, broken["customer"], total, where), faults=faults, total=total
    )


def _unusable_message(rows: PeriodRows, strangers: np.ndarray, total: int, where: str) -> Message:
    reason = _describe_unusable_cells(rows, strangers, total)
    return Message("{path}: {reason}", path=where, reason=reason) if where else reason


def _describe_unusable_cells(rows: PeriodRows, strangers: np.ndarray, total: int) -> Message:
    if not rows.rows:
        return Message("no purchases")
    names = rows.cells["customer"].filter(pl.Series(strangers)).unique().sort()
    if not len(names):
        return Message(
            "{count} cell cannot be used", plural="{count:,} cells cannot be used", count=total
        )
    listed = ", ".join(names.head(MAX_SHOWN_VIOLATIONS)) + (
        " …" if len(names) > MAX_SHOWN_VIOLATIONS else ""
    )
    return Message(
        "{count} customer is not among the customers (M): {customers}",
        plural="{count:,} customers are not among the customers (M): {customers}",
        count=len(names),
        customers=listed,
    )


class PurchaseHistory(Protocol):
    """Any purchase history: its rows, customers by first appearance, prices as whole numbers."""

    @property
    def frame(self) -> pl.DataFrame:
        """Customer, day, item, price and quantity."""

    @property
    def decimals(self) -> int:
        """A price is a whole number of 10^-`decimals`."""

    @property
    def customers(self) -> pl.Series:
        """The customers, by first appearance."""

    def numbers(self, column: str) -> np.ndarray:
        """Days, prices or quantities as whole numbers."""


def to_period_history(history: PeriodHistory | PurchaseHistory) -> PeriodHistory:
    """The same purchases, in the same order."""
    if isinstance(history, PeriodHistory):
        return history
    cells = history.frame.select("customer", "item").with_columns(
        pl.lit("0").alias("invoice"),
        pl.lit("0:00").alias("time"),
        format_days(history.numbers("day")),
        format_prices(history.numbers("price") / 10**history.decimals),
        format_quantities(history.numbers("quantity")),
    )
    blank = (pl.lit("").alias(name) for name in MASTER_COLUMNS[1:])
    master = CustomerMaster(history.customers.alias("customer").to_frame().with_columns(blank))
    return PeriodHistory.of(PeriodRows(cells.select(PERIOD_COLUMNS)), master)
