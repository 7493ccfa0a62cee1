"""Matches the released rows of each customer with purchases that fit them, as many as can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from tokumei.assessment.column_codes import ColumnCodes

MATCHING_ROUNDS = 3


def match_rows(
    columns: Mapping[str, ColumnCodes], released_group: np.ndarray, original_group: np.ndarray
) -> tuple[np.ndarray, int]:
    """By released row an original row of its group, and how many fit none that is left."""
    link = np.full(len(released_group), -1, dtype=np.int64)
    for rows, purchases in _shared_groups(released_group, original_group):
        fits = np.asarray(_agreement(columns, rows, purchases).all(axis=2))
        chosen = _most_fitting(fits)
        link[rows] = np.where(chosen >= 0, np.append(purchases, -1)[chosen], -1)
    return _fill(link, original_group), int((link < 0).sum())


def match_noisy_rows(
    columns: Mapping[str, ColumnCodes], released_group: np.ndarray, original_group: np.ndarray
) -> tuple[np.ndarray, int]:
    """The same where cells need not hold the true value: the likeliest row, by what is learned.

    A column counts by how much more often matched rows agree in it than rows of a group do.
    """
    groups = list(_shared_groups(released_group, original_group))
    agreements = [_agreement(columns, rows, purchases) for rows, purchases in groups]
    nearness = [_nearness(columns, rows, purchases) for rows, purchases in groups]
    pairs = sum(part.shape[0] * part.shape[1] for part in agreements)
    chance = sum(part.sum(axis=(0, 1)) for part in agreements) / max(pairs, 1)
    weights = np.ones((2, len(columns))) * [[1.0], [0.0]]
    link = np.full(len(released_group), -1, dtype=np.int64)
    for _ in range(MATCHING_ROUNDS):
        agreed, matched = np.zeros(len(columns)), 0
        for (rows, purchases), fits, near in zip(groups, agreements, nearness, strict=True):
            score = fits @ weights[0] + ~fits @ weights[1] + near
            chosen = _likeliest(score)
            link[rows] = np.where(chosen >= 0, np.append(purchases, -1)[chosen], -1)
            found = np.flatnonzero(chosen >= 0)
            agreed, matched = agreed + fits[found, chosen[found]].sum(axis=0), matched + len(found)
        weights = _match_weights(agreed, matched, chance)
    return _fill(link, original_group), int((link < 0).sum())


def _match_weights(agreed: np.ndarray, matched: int, chance: np.ndarray) -> np.ndarray:
    """By column what agreeing and what differing says, as log likelihood ratios."""
    true = (agreed + 0.5) / (matched + 1)
    other = np.clip(chance, 1e-6, 1 - 1e-6)
    return np.stack([np.log(true / other), np.log((1 - true) / (1 - other))])


def _shared_groups(
    released_group: np.ndarray, original_group: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    originals = _groups(original_group)
    for group, rows in _groups(released_group).items():
        if group in originals:
            yield rows, originals[group]


def _groups(group: np.ndarray) -> dict[int, np.ndarray]:
    order = np.argsort(group, kind="stable")
    numbers, start = np.unique(group[order], return_index=True)
    return dict(zip(numbers.tolist(), np.split(order, start[1:]), strict=True))


def _agreement(
    columns: Mapping[str, ColumnCodes], rows: np.ndarray, purchases: np.ndarray
) -> np.ndarray:
    """Whether each released row fits each purchase, by column."""
    row, purchase = (side.ravel() for side in np.indices((len(rows), len(purchases))))
    fits = np.zeros((len(rows), len(purchases), len(columns)), dtype=bool)
    for place, codes in enumerate(columns.values()):
        rank = codes.value_rank[purchases[purchase]]
        fits[:, :, place] = codes.covers(codes.cell_code[rows[row]], rank, rank).reshape(
            len(rows), len(purchases)
        )
    return fits


def _nearness(
    columns: Mapping[str, ColumnCodes], rows: np.ndarray, purchases: np.ndarray
) -> np.ndarray:
    """How near numbers are, in all columns together at most 1: it decides between equal rows."""
    nearness = np.zeros((len(rows), len(purchases)))
    for codes in columns.values():
        released = codes.numbers[codes.low[codes.cell_code[rows]]]
        apart = np.abs(released[:, None] - codes.numbers[codes.value_rank[purchases]])
        nearness += np.nan_to_num(1 / (1 + apart)) / len(columns)
    return nearness


def _most_fitting(fits: np.ndarray) -> np.ndarray:
    if not fits.size:
        return np.full(len(fits), -1)
    return np.asarray(maximum_bipartite_matching(csr_array(fits), perm_type="column"))


def _likeliest(score: np.ndarray) -> np.ndarray:
    chosen = np.full(len(score), -1)
    rows, purchases = linear_sum_assignment(score, maximize=True)
    chosen[rows] = purchases
    return chosen


def _fill(link: np.ndarray, original_group: np.ndarray) -> np.ndarray:
    """Rows without a purchase get one that is left, so that every row has another origin."""
    link = link.copy()
    missing = np.flatnonzero(link < 0)
    if not len(missing):
        return link
    free = np.setdiff1d(np.arange(len(original_group)), link)
    if len(free) < len(missing):
        free = np.resize(np.arange(len(original_group)), len(missing))
    link[missing] = free[: len(missing)]
    return link
