"""Estimates how often people of two releases are linked, by cells, classes or behaviour.

By cells: a guess is one of the rows that show the same, in a class that may hold the same person.
By profiles, purchases for example: how often a value occurs in a column of a class, log(1 + times)
· √log(classes / classes with the value), of length one. Profiles are compared by their cosines,
added up over the columns; who is guessed is one of the people of the class of the second release
that is most alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.ledger.class_membership import ClassMembership
from tokumei.ledger.contribution import CandidateClasses
from tokumei.ledger.linked_risk import group_by_classes, to_dense_codes

MAX_PROFILE_PAIRS = 400_000_000
"""More pairs of classes are not compared."""
BLOCK_ROWS = 512
SCORE_TOLERANCE = 1e-9


def profile_linkage_rate(
    membership: ClassMembership, pair: tuple[int, int], people: np.ndarray
) -> float | None:
    """The expected share of people who are found by their profiles; None where there are none."""
    profiles = [membership.releases[release].profile for release in pair]
    first, second = profiles
    if first is None or second is None:
        return None
    sizes = [int(membership.classes[:, release].max(initial=-1)) + 1 for release in pair]
    if float(sizes[0]) * sizes[1] > MAX_PROFILE_PAIRS:
        return None
    columns = sorted(set(first["column"]) & set(second["column"]))
    vector_pairs = [_profile_vectors(first, second, column, sizes) for column in columns]
    second_classes = membership.classes[membership.place[:, pair[1]] >= 0, pair[1]]
    class_sizes = np.bincount(second_classes, minlength=sizes[1])
    own_classes = membership.classes[people, pair[0]], membership.classes[people, pair[1]]
    return float(_match_probabilities(vector_pairs, class_sizes, *own_classes).mean())


def _match_probabilities(
    vector_pairs: list[tuple[sparse.csr_array, sparse.csr_array]],
    class_sizes: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> np.ndarray:
    """For people in classes of both, how likely a guess by profiles is right."""
    probabilities = np.zeros(len(first))
    order = np.argsort(first, kind="stable")
    for begin in range(0, len(order), BLOCK_ROWS):
        rows = order[begin : begin + BLOCK_ROWS]
        scores = np.zeros((len(rows), len(class_sizes)))
        for left, right in vector_pairs:
            scores += (left[first[rows]] @ right.T).toarray()
        scores[:, class_sizes == 0] = -1.0
        is_best = scores >= scores.max(axis=1, keepdims=True) - SCORE_TOLERANCE
        is_among_best = is_best[np.arange(len(rows)), second[rows]]
        probabilities[rows] = is_among_best / (is_best @ class_sizes)
    return probabilities


def _profile_vectors(
    first: pl.DataFrame, second: pl.DataFrame, column: int, sizes: list[int]
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Classes × values of both releases, weighted by rarity, of length one."""
    column_profiles = [profile.filter(pl.col("column") == column) for profile in (first, second)]
    _, value_index = np.unique(
        np.concatenate([profile["value"].to_numpy() for profile in column_profiles]),
        return_inverse=True,
    )
    width = int(value_index.max(initial=-1)) + 1
    value_index_parts = np.split(value_index, [column_profiles[0].height])
    tables = [
        sparse.csr_array(
            (np.log1p(profile["rows"].to_numpy()), (profile["class"].to_numpy(), value_columns)),
            shape=(size, width),
        )
        for profile, value_columns, size in zip(
            column_profiles, value_index_parts, sizes, strict=True
        )
    ]
    class_counts = np.bincount(value_index, minlength=width)
    rarity = sparse.diags_array(np.sqrt(np.log(max(sum(sizes), 1) / np.maximum(class_counts, 1))))
    left, right = (_normalize_rows(profile @ rarity) for profile in tables)
    return left, right


def _normalize_rows(table: sparse.csr_array) -> sparse.csr_array:
    length = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.where(length > 0, length, 1.0)) @ table)


MAX_CLASS_PAIRS = 50_000_000
"""More pairs of classes are not looked at: then only the shared columns are used."""


def expected_linkage_rate(
    membership: ClassMembership,
    pair: tuple[int, int],
    people: np.ndarray,
    column_pairs: Sequence[tuple[int, int]],
) -> tuple[float, bool]:
    """The expected share of people whose row in the second file is guessed from the first.

    A guess is drawn from the rows with the same cells in all shared columns, in a class that may
    hold whom the first class may hold. Also whether classes were looked at.
    """
    first_cells, second_cells, own_second_cells = _encode_shared_cells(
        membership, pair, people, column_pairs
    )
    second_classes = membership.classes[membership.place[:, pair[1]] >= 0, pair[1]]
    allowed = compatible_class_pairs(membership, pair, people)
    if allowed is None:
        rows = np.bincount(second_cells, minlength=int(first_cells.max(initial=0)) + 1)[first_cells]
    else:
        size = max(int(first_cells.max(initial=0)), int(second_cells.max(initial=0))) + 1
        counts = _count_matrix(second_classes, second_cells, (allowed.shape[1], size))
        reach = (allowed @ counts).tocsr()
        rows = np.asarray(reach[membership.classes[people, pair[0]], first_cells]).ravel()
    return float(
        ((own_second_cells == first_cells) / np.maximum(rows, 1)).mean()
    ), allowed is not None


def compatible_class_pairs(
    membership: ClassMembership, pair: tuple[int, int], people: np.ndarray
) -> sparse.csr_array | None:
    """Classes × classes: whether somebody fits both; None where that is unknown, or too many."""
    fits = [membership.releases[item].patterns for item in pair]
    fit_numbers = [membership.taken("fit", item, people) for item in pair]
    if any((item < 0).any() for item in fit_numbers):
        return None
    grouped = group_by_classes(fit_numbers)
    first = np.zeros(len(grouped.sizes), dtype=np.int64)
    first[grouped.group] = np.arange(len(people))
    patterns = [item[first] for item in fit_numbers]
    sizes = [np.diff(item.start)[pattern] for item, pattern in zip(fits, patterns, strict=True)]
    if float((sizes[0].astype(float) * sizes[1]).sum()) > MAX_CLASS_PAIRS:
        return None
    class_counts = [int(membership.classes[:, item].max(initial=0)) + 1 for item in pair]
    left, right = (
        _pattern_class_matrix(item, chosen, size, width)
        for item, chosen, size, width in zip(fits, patterns, sizes, class_counts, strict=True)
    )
    overlap: sparse.csr_array = (left.T @ right).tocsr()
    overlap.data[:] = 1
    return overlap


def _pattern_class_matrix(
    fits: CandidateClasses, patterns: np.ndarray, sizes: np.ndarray, width: int
) -> sparse.csr_array:
    """Patterns × classes."""
    start = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(start[-1]) - np.repeat(start[:-1], sizes)
    classes = fits.classes[np.repeat(fits.start[patterns], sizes) + within]
    width = max(width, int(classes.max(initial=-1)) + 1)
    ones = np.ones(len(classes), dtype=np.int32)
    return sparse.csr_array((ones, classes, start), shape=(len(sizes), width))


def _count_matrix(
    classes: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> sparse.csr_array:
    ones = np.ones(len(classes), dtype=np.int32)
    wide = (max(shape[0], int(classes.max(initial=-1)) + 1), shape[1])
    return sparse.coo_array((ones, (classes, values)), shape=wide).tocsr()[: shape[0]]


def _encode_shared_cells(
    membership: ClassMembership,
    pair: tuple[int, int],
    people: np.ndarray,
    column_pairs: Sequence[tuple[int, int]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The shared cells as numbers: of the people in the first, of everyone in the second, and of
    the same people in the second."""
    everyone = np.flatnonzero(membership.place[:, pair[1]] >= 0)
    first_cells, second_cells = np.zeros(len(people), np.int64), np.zeros(len(everyone), np.int64)
    for first, second in column_pairs:
        cells = np.concatenate(
            [membership.cell(first, pair[0], people), membership.cell(second, pair[1], everyone)]
        )
        _, codes = np.unique(cells, return_inverse=True)
        keys = np.concatenate([first_cells, second_cells]) * (int(codes.max(initial=0)) + 1) + codes
        joint_codes, _ = to_dense_codes(keys, 2**62)
        first_cells, second_cells = joint_codes[: len(people)], joint_codes[len(people) :]
    return first_cells, second_cells, second_cells[np.searchsorted(everyone, people)]
