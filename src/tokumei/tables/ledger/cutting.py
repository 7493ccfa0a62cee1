"""Cutting rows top down so that no class of an earlier release falls apart.

    cut_apart(places, widths, earlier=[classes], k=5)              # 0, all, or ≥ k on either side
    cut_whole(places, widths, earlier=[classes], k=10, groups=all) # 0 or all: unions of classes

Of a class with t people in a group, a cut leaves on both sides 0, all, or at least k of them, so
that every joint class is at least min(k, t) (Ganta et al. 2008 tell why this is needed). The rule
is not monotone: what is forbidden for a group may be allowed in a part, so every cut point of every
column is tried before a group is final.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components


def cut_apart(
    places: np.ndarray,
    scales: Sequence[np.ndarray | float],
    *,
    earlier: Sequence[np.ndarray],
    k: int,
) -> np.ndarray:
    """The group of every row. `places[r, j]`: where row r stands on column j's line.

    `scales[j][p]` is how far place p lies from the first, times the column's weight; a number is
    what each further value of a set costs. `earlier`: the class of every row in other releases, −1
    for who is in none of its classes.
    """
    found = np.zeros(len(places), dtype=np.int64)
    number, waiting = 0, [np.arange(len(places))]
    while waiting:
        rows = waiting.pop()
        parts = _parts(places, scales, [one[rows] for one in earlier], rows, k)
        if parts is None:
            found[rows] = number
            number += 1
        else:
            waiting += [rows[parts], rows[~parts]]
    return found


def cut_whole(
    places: np.ndarray,
    scales: Sequence[np.ndarray | float],
    *,
    earlier: Sequence[np.ndarray],
    k: int,
    groups: np.ndarray,
) -> np.ndarray:
    """Groups cut further between atoms, which stay whole wherever their boxes lie.

    An atom is a class of an earlier release, with all that overlap it in others; it stands where
    the mean of its rows does, so that classes which cross each other can be parted, too.
    """
    centred = _centred(places, atoms(earlier))
    found, number = np.empty(len(places), dtype=np.int64), 0
    for rows in np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1]):
        parts = cut_apart(centred[rows], scales, earlier=[], k=k)
        found[rows] = number + parts
        number += int(parts.max(initial=-1)) + 1
    return found


def atoms(earlier: Sequence[np.ndarray]) -> np.ndarray:
    """The atom of every row; −1 for who is in no earlier release."""
    rows = len(earlier[0])
    starts = np.cumsum([rows, *(int(of.max(initial=-1)) + 1 for of in earlier)])
    edges = [
        (np.flatnonzero(of >= 0), of[of >= 0] + at)
        for of, at in zip(earlier, starts[:-1], strict=True)
    ]
    left, right = (np.concatenate(side) for side in zip(*edges, strict=True))
    shape = (int(starts[-1]), int(starts[-1]))
    graph = sparse.coo_array((np.ones(len(left), dtype=bool), (left, right)), shape=shape)
    _, label = connected_components(graph, directed=False)
    alone = np.all([of < 0 for of in earlier], axis=0)
    return np.asarray(np.where(alone, -1, label[:rows]))


def _centred(places: np.ndarray, atom: np.ndarray) -> np.ndarray:
    """The places with those of an atom's rows replaced by their mean."""
    known = atom >= 0
    found = places.copy()
    if known.any():
        _, of = np.unique(atom[known], return_inverse=True)
        many = np.bincount(of)
        for column in range(places.shape[1]):
            mean = np.bincount(of, weights=places[known, column]) / many
            found[known, column] = np.rint(mean)[of]
    return found


def _parts(
    places: np.ndarray,
    scales: Sequence[np.ndarray | float],
    earlier: Sequence[np.ndarray],
    rows: np.ndarray,
    k: int,
) -> np.ndarray | None:
    """Which of the rows go left, by the allowed cut that saves most; None: the group is final."""
    if len(rows) < 2 * k:
        return None
    orders = [_order(one) for one in earlier]
    best, chosen = 0.0, None
    for column, scale in enumerate(scales):
        here, values = np.unique(places[rows, column], return_inverse=True)
        at = np.arange(len(here)) * scale if np.ndim(scale) == 0 else np.asarray(scale)[here]
        # No cut of this column can save more than all of its width.
        if len(here) == 1 or len(rows) * (at[-1] - at[0]) <= best:
            continue
        saved = _saved(values, at, k)
        for of, (order, start) in zip(earlier, orders, strict=True):
            saved[_forbidden(values, of, order, start, len(here) - 1, k)] = 0.0
        place = int(saved.argmax())
        if saved[place] > best:
            best, chosen = float(saved[place]), values <= place
    return chosen


def _saved(values: np.ndarray, at: np.ndarray, k: int) -> np.ndarray:
    """For a cut after each place, by how much rows × width shrinks; 0 where a side is below k."""
    left = np.cumsum(np.bincount(values, minlength=len(at)))[:-1]
    right = len(values) - left
    saved = left * (at[-1] - at[:-1]) + right * (at[1:] - at[0])
    saved[(left < k) | (right < k)] = 0.0
    return np.asarray(saved, dtype=np.float64)


def _order(of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that have a class, class by class, and where each begins."""
    order = np.argsort(of, kind="stable")
    order = order[np.searchsorted(of[order], 0) :]
    sorted_ = of[order]
    start = np.flatnonzero(np.concatenate([[True], sorted_[1:] != sorted_[:-1]])[: len(sorted_)])
    return order, start


def _forbidden(
    values: np.ndarray, of: np.ndarray, order: np.ndarray, start: np.ndarray, size: int, k: int
) -> np.ndarray:
    """For a cut after each place, whether a class would fall apart."""
    if not len(order):
        return np.zeros(size, dtype=bool)
    # Within each class by value: the classes stand together already.
    sorted_ = order[np.lexsort((values[order], of[order]))]
    at = values[sorted_]
    end = np.append(start[1:], len(at))
    first, last = at[start], at[end - 1]
    kth = at[np.minimum(start + k - 1, end - 1)]
    before = at[np.maximum(end - k, start)]
    change = np.zeros(size + 1, dtype=np.int64)
    for low, high in ((first, kth), (before, last)):
        np.add.at(change, low, 1)
        np.add.at(change, high, -1)
    return np.asarray(np.cumsum(change)[:size] > 0)
