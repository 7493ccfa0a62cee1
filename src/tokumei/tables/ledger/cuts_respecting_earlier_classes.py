"""Cuts rows top down without splitting a class of an earlier release.

    cut_groups(places, widths, earlier=[classes], k=5)              # 0, all, or ≥ k on either side
    # 0 or all: unions of classes
    cut_between_classes(places, widths, earlier=[classes], k=10, groups=all)

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


def cut_groups(
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
    group_of_row = np.zeros(len(places), dtype=np.int64)
    number, pending = 0, [np.arange(len(places))]
    while pending:
        rows = pending.pop()
        parts = _best_cut(places, scales, [classes[rows] for classes in earlier], rows, k)
        if parts is None:
            group_of_row[rows] = number
            number += 1
        else:
            pending += [rows[parts], rows[~parts]]
    return group_of_row


def cut_between_classes(
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
    centred = _center_atoms(places, overlapping_classes(earlier))
    group_of_row, number = np.empty(len(places), dtype=np.int64), 0
    for rows in np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1]):
        parts = cut_groups(centred[rows], scales, earlier=[], k=k)
        group_of_row[rows] = number + parts
        number += int(parts.max(initial=-1)) + 1
    return group_of_row


def overlapping_classes(earlier: Sequence[np.ndarray]) -> np.ndarray:
    """The atom of every row; −1 for who is in no earlier release."""
    rows = len(earlier[0])
    starts = np.cumsum([rows, *(int(class_of_row.max(initial=-1)) + 1 for class_of_row in earlier)])
    edges = [
        (np.flatnonzero(class_of_row >= 0), class_of_row[class_of_row >= 0] + first_node)
        for class_of_row, first_node in zip(earlier, starts[:-1], strict=True)
    ]
    left, right = (np.concatenate(side) for side in zip(*edges, strict=True))
    shape = (int(starts[-1]), int(starts[-1]))
    graph = sparse.coo_array((np.ones(len(left), dtype=bool), (left, right)), shape=shape)
    _, label = connected_components(graph, directed=False)
    is_in_none = np.all([class_of_row < 0 for class_of_row in earlier], axis=0)
    return np.asarray(np.where(is_in_none, -1, label[:rows]))


def _center_atoms(places: np.ndarray, atom: np.ndarray) -> np.ndarray:
    """The places with those of an atom's rows replaced by their mean."""
    has_atom = atom >= 0
    centered = places.copy()
    if has_atom.any():
        _, atom_index = np.unique(atom[has_atom], return_inverse=True)
        atom_sizes = np.bincount(atom_index)
        for column in range(places.shape[1]):
            mean = np.bincount(atom_index, weights=places[has_atom, column]) / atom_sizes
            centered[has_atom, column] = np.rint(mean)[atom_index]
    return centered


def _best_cut(
    places: np.ndarray,
    scales: Sequence[np.ndarray | float],
    earlier: Sequence[np.ndarray],
    rows: np.ndarray,
    k: int,
) -> np.ndarray | None:
    """Which of the rows go left, by the allowed cut that saves most; None: the group is final."""
    if len(rows) < 2 * k:
        return None
    orders = [_sort_by_class(classes) for classes in earlier]
    best, chosen = 0.0, None
    for column, scale in enumerate(scales):
        present_places, values = np.unique(places[rows, column], return_inverse=True)
        positions = (
            np.arange(len(present_places)) * scale
            if np.ndim(scale) == 0
            else np.asarray(scale)[present_places]
        )
        # No cut of this column can save more than all of its width.
        if len(present_places) == 1 or len(rows) * (positions[-1] - positions[0]) <= best:
            continue
        saved = _width_savings(values, positions, k)
        for class_of_row, (order, start) in zip(earlier, orders, strict=True):
            saved[
                _forbidden_cuts(values, class_of_row, order, start, len(present_places) - 1, k)
            ] = 0.0
        best_place = int(saved.argmax())
        if saved[best_place] > best:
            best, chosen = float(saved[best_place]), values <= best_place
    return chosen


def _width_savings(values: np.ndarray, positions: np.ndarray, k: int) -> np.ndarray:
    """For a cut after each place, by how much rows × width shrinks; 0 where a side is below k."""
    left = np.cumsum(np.bincount(values, minlength=len(positions)))[:-1]
    right = len(values) - left
    saved = left * (positions[-1] - positions[:-1]) + right * (positions[1:] - positions[0])
    saved[(left < k) | (right < k)] = 0.0
    return np.asarray(saved, dtype=np.float64)


def _sort_by_class(class_of_row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that have a class, class by class, and where each begins."""
    order = np.argsort(class_of_row, kind="stable")
    order = order[np.searchsorted(class_of_row[order], 0) :]
    sorted_ = class_of_row[order]
    start = np.flatnonzero(np.concatenate([[True], sorted_[1:] != sorted_[:-1]])[: len(sorted_)])
    return order, start


def _forbidden_cuts(
    values: np.ndarray,
    class_of_row: np.ndarray,
    order: np.ndarray,
    start: np.ndarray,
    size: int,
    k: int,
) -> np.ndarray:
    """For a cut after each place, whether a class would fall apart."""
    if not len(order):
        return np.zeros(size, dtype=bool)
    # Within each class by value: the classes stand together already.
    sorted_ = order[np.lexsort((values[order], class_of_row[order]))]
    sorted_places = values[sorted_]
    end = np.append(start[1:], len(sorted_places))
    first, last = sorted_places[start], sorted_places[end - 1]
    kth = sorted_places[np.minimum(start + k - 1, end - 1)]
    before = sorted_places[np.maximum(end - k, start)]
    change = np.zeros(size + 1, dtype=np.int64)
    for low, high in ((first, kth), (before, last)):
        np.add.at(change, low, 1)
        np.add.at(change, high, -1)
    return np.asarray(np.cumsum(change)[:size] > 0)
