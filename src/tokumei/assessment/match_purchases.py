"""Matches the released rows of each customer with purchases that fit them, as many as can be."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from tokumei.assessment.column_codes import ColumnCodes


def match_rows(
    columns: Mapping[str, ColumnCodes],
    released_group: np.ndarray,
    original_group: np.ndarray,
    *,
    noisy: bool = False,
) -> tuple[np.ndarray, int]:
    """By released row an original row of its group, and how many fit none that is left.

    With `noisy` cells need not hold the true value: those rows are matched that differ least.
    """
    link = np.full(len(released_group), -1, dtype=np.int64)
    strays = 0
    originals = _groups(original_group)
    for group, rows in _groups(released_group).items():
        purchases = originals.get(group, np.zeros(0, dtype=np.int64))
        fits = _agreement(columns, rows, purchases)
        chosen = _least_different(fits) if noisy else _most_fitting(fits == len(columns))
        link[rows] = np.where(chosen >= 0, np.append(purchases, -1)[chosen], -1)
        strays += int((chosen < 0).sum())
    return _fill(link, original_group), strays


def _groups(group: np.ndarray) -> dict[int, np.ndarray]:
    order = np.argsort(group, kind="stable")
    numbers, start = np.unique(group[order], return_index=True)
    return dict(zip(numbers.tolist(), np.split(order, start[1:]), strict=True))


def _agreement(
    columns: Mapping[str, ColumnCodes], rows: np.ndarray, purchases: np.ndarray
) -> np.ndarray:
    """In how many columns each released row fits each purchase."""
    agreement = np.zeros((len(rows), len(purchases)), dtype=np.int64)
    row, purchase = (side.ravel() for side in np.indices(agreement.shape))
    for codes in columns.values():
        rank = codes.value_rank[purchases[purchase]]
        agreement.ravel()[:] += codes.covers(codes.cell_code[rows[row]], rank, rank)
    return agreement


def _most_fitting(fits: np.ndarray) -> np.ndarray:
    if not fits.size:
        return np.full(len(fits), -1)
    return np.asarray(maximum_bipartite_matching(csr_array(fits), perm_type="column"))


def _least_different(agreement: np.ndarray) -> np.ndarray:
    chosen = np.full(len(agreement), -1)
    rows, purchases = linear_sum_assignment(agreement, maximize=True)
    chosen[rows] = purchases
    return chosen


def _fill(link: np.ndarray, original_group: np.ndarray) -> np.ndarray:
    """Rows without a purchase get one that is left, so that every row has another origin."""
    missing = np.flatnonzero(link < 0)
    if not len(missing):
        return link
    free = np.setdiff1d(np.arange(len(original_group)), link)
    if len(free) < len(missing):
        free = np.resize(np.arange(len(original_group)), len(missing))
    link[missing] = free[: len(missing)]
    return link
