"""How public and known values of one month are compared, column by column.

    columns = month_columns(sides, month)
    weights = column_table(columns[PRICE], shares)       # distinct known × distinct public values

The difference known − public falls into a bin. A bin weighs how often the differences of true
pairs fall into it (`shares`, learned) against how often those of any known row of the month do:
a rare value that is equal weighs much, a day to which all rows were moved nothing.
"""

from __future__ import annotations

import numpy as np

from tokumei.kernels.evidence.columns import Column
from tokumei.pseudonyms.attackers.sides import Sides

_FEW = 0.5  # added to every count of a background


def _signed(*edges: float) -> np.ndarray:
    """Edges on both sides of nought."""
    return np.array([-edge for edge in reversed(edges)] + list(edges))


EDGES: tuple[np.ndarray, ...] = (
    _signed(0.004, 0.02, 0.04, 0.06, 0.08, 0.10, 0.12, 0.2, 0.5, 1.0),  # log of the price
    _signed(0.003, 0.01, 0.02, 0.03, 0.045, 0.07, 0.10, 0.15, 0.3, 0.6),  # to the usual price
    _signed(0.5, 1.5, 2.5, 5.5, 11.5, 24.5),  # quantity
    _signed(0.5, 1.5, 2.5, 4.5, 9.5),  # days
    _signed(0.5, 2.5, 10.5, 30.5, 60.5, 180.5),  # minutes
)
"""The bins of every column of `Side.values`; the middle one is "equal"."""

WIDTHS = (0.1, 0.1, 3.0, 5.0, 60.0)
"""Typical differences at the start, before anything is learned."""


def month_columns(sides: Sides, month: int) -> tuple[Column, ...]:
    """All columns of a month."""
    known = sides.known.values[:, sides.known.rows(month)]
    public = sides.public.values[:, sides.public.rows(month)]
    return tuple(_column(k, p, edges) for k, p, edges in zip(known, public, EDGES, strict=True))


def _column(known: np.ndarray, public: np.ndarray, edges: np.ndarray) -> Column:
    told, told_place = np.unique(known, return_inverse=True)
    shown, shown_place = np.unique(public, return_inverse=True)
    below = np.searchsorted(np.sort(known), shown[:, None] + edges)
    none, all_of = np.zeros((len(shown), 1)), np.full((len(shown), 1), len(known))
    counts = np.diff(np.hstack([none, below, all_of]), axis=1) + _FEW
    rarity = counts.sum(axis=1, keepdims=True) / counts
    return Column(
        told, told_place.astype(np.int32), shown, shown_place.astype(np.int32), rarity, edges
    )


def start_shares() -> list[np.ndarray]:
    """How differences of true pairs are spread before anything is learned: nearer is likelier."""
    return [_start(edges, width) for edges, width in zip(EDGES, WIDTHS, strict=True)]


def _start(edges: np.ndarray, width: float) -> np.ndarray:
    middle = np.concatenate([[edges[0] - 1], (edges[1:] + edges[:-1]) / 2, [edges[-1] + 1]])
    size = np.concatenate([[1], np.diff(edges), [1]])
    near = np.exp(-np.abs(middle) / width) * size
    shares = 0.4 * near / near.sum() + 0.2 / len(middle)
    shares[len(edges) // 2] += 0.4
    return np.asarray(shares)
