"""The purchase histories of many customers as plain arrays, customer by customer.

purchases = Purchases(start, day, price, quantity, item, sd)
purchases.lengths          # rows per customer
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Purchases:
    """Rows of customer c are `start[c]:start[c + 1]` of the other arrays."""

    start: np.ndarray
    day: np.ndarray
    price: np.ndarray
    quantity: np.ndarray
    item: np.ndarray
    sd: tuple[float, float, float]

    @property
    def customers(self) -> int:
        """The number of customers."""
        return len(self.start) - 1

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.start[-1])

    @cached_property
    def lengths(self) -> np.ndarray:
        """Rows per customer."""
        return np.diff(self.start).astype(np.int64)

    @cached_property
    def values(self) -> np.ndarray:
        """Day, price and quantity as three lines of floats, each shifted to start at zero."""
        columns = np.array([self.day, self.price, self.quantity], dtype=np.float64)
        return np.asarray(columns - columns.min(axis=1, keepdims=True, initial=np.inf))

    @cached_property
    def items(self) -> np.ndarray:
        """Item codes counted from zero without gaps."""
        return np.unique(self.item, return_inverse=True)[1].astype(np.int32)

    @cached_property
    def weights(self) -> np.ndarray:
        """1 / (2 sd) of each numeric column; a column without spread costs nothing."""
        sd = np.array(self.sd, dtype=np.float64)
        return np.where(sd > 0, 0.5 / np.where(sd > 0, sd, 1), 0.0)


@dataclass(frozen=True, eq=False)
class Alignment:
    """Which rows become one group.

    `groups[g, j]` is the row of the j-th customer of the group's cluster, `cluster[g]` the number
    of that cluster, `customers[c, j]` the j-th customer of cluster c.
    """

    groups: np.ndarray
    cluster: np.ndarray
    customers: np.ndarray
