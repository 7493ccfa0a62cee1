"""Which attribute to move down its hierarchy next: what each choice scores a split by."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.mondrian.tfidf import Targets, tfidf

Choice = Literal["tfidf", "prec", "ncp", "range"]
Ties = Literal["order", "prec"]
CHOICES: tuple[Choice, ...] = ("tfidf", "prec", "ncp", "range")
TIES: tuple[Ties, ...] = ("order", "prec")
EQUAL = 1e-12
"""Scores that differ by no more than this are equal: then the tie rule decides."""
_TFIDF, _PREC, _NCP, _RANGE = range(4)


class Split(NamedTuple):
    """A candidate: column j of the group at `nodes` goes down to `children` with `rows` each."""

    column: int
    nodes: np.ndarray
    children: np.ndarray
    rows: np.ndarray
    span: float


@compiled
def score(split: Split, cost: np.ndarray, heights: np.ndarray, targets: Targets, how: int) -> float:
    """The larger the better.

    prec: what Prec gains, 1/height. ncp: what the mean NCP of the column's cells loses. range: how
    far the group's leaves lie apart, as a share of the column. tfidf: see there.
    """
    if how == _PREC:
        return float(1.0 / heights[split.column])
    if how == _RANGE:
        return split.span
    if how == _TFIDF:
        return tfidf(targets, split.nodes, split.column, split.children)
    left = 0.0
    for place in range(len(split.children)):
        left += cost[split.children[place]] * split.rows[place]
    return float(cost[split.nodes[split.column]] - left / split.rows.sum())


@compiled
def better(new: float, old: float, column: int, best: int, heights: np.ndarray, ties: int) -> bool:
    """Whether a column beats the best so far; equal: the first column, or the larger Prec gain."""
    if best < 0 or new > old + EQUAL:
        return True
    return ties == 1 and new > old - EQUAL and heights[column] < heights[best]
