"""Splits many customers into parts, because comparing all pairs costs quadratic time.

    parts = split_customers(purchases)                  # customers of each part, in their order
    part = select_customers(purchases, parts[0])           # their purchases alone
    join_alignments(purchases, parts, alignments)       # one alignment of all

Customers who stand together in the order of length, dearest and cheapest row are in one part: who
would be put together anyway is mostly there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class PurchaseArrays:
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


MAX_WHOLE_CUSTOMERS = 5040
"""As many customers are compared all with all."""
PART_CUSTOMERS = 2520
"""A multiple of every k up to 10: nobody is left over but in the last part."""


def split_customers(purchases: PurchaseArrays) -> list[np.ndarray]:
    """All customers if they are few, else parts of about the same size, longest histories first."""
    if purchases.customers <= MAX_WHOLE_CUSTOMERS:
        return [np.arange(purchases.customers)]
    first = purchases.start[:-1]
    dearest = np.maximum.reduceat(purchases.price, first)
    cheapest = np.minimum.reduceat(purchases.price, first)
    order = np.lexsort((cheapest, dearest, -purchases.lengths))
    ends = PART_CUSTOMERS * np.arange(1, round(purchases.customers / PART_CUSTOMERS))
    return [np.sort(part) for part in np.split(order, ends)]


def select_customers(purchases: PurchaseArrays, customers: np.ndarray) -> PurchaseArrays:
    """The purchases of some customers; costs stay those of all: the spread is that of all rows."""
    if len(customers) == purchases.customers:
        return purchases
    rows, p = customer_rows(purchases, customers), purchases
    start = np.concatenate([[0], np.cumsum(p.lengths[customers])])
    return PurchaseArrays(start, p.day[rows], p.price[rows], p.quantity[rows], p.item[rows], p.sd)


def customer_rows(purchases: PurchaseArrays, customers: np.ndarray) -> np.ndarray:
    """The rows of some customers, one after the other."""
    lengths = purchases.lengths[customers]
    gaps = purchases.start[:-1][customers] - (np.cumsum(lengths) - lengths)
    return np.asarray(np.arange(lengths.sum()) + np.repeat(gaps, lengths))


def join_alignments(
    purchases: PurchaseArrays, parts: Sequence[np.ndarray], alignments: Sequence[Alignment]
) -> Alignment:
    """The alignments of parts as one, in the numbers of all customers and rows."""
    clusters = np.cumsum([0, *(len(alignment.customers) for alignment in alignments)])
    return Alignment(
        np.concatenate(
            [
                customer_rows(purchases, part)[alignment.groups]
                for part, alignment in zip(parts, alignments, strict=True)
            ]
        ),
        np.concatenate(
            [
                alignment.cluster + offset
                for alignment, offset in zip(alignments, clusters, strict=False)
            ]
        ).astype(np.int32),
        np.concatenate(
            [part[alignment.customers] for part, alignment in zip(parts, alignments, strict=True)]
        ),
    )
