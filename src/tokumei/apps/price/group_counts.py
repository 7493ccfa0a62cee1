"""Counts groups, rolls them up, and partitions values by patterns.

    partitions = AttributePartitions(73)
    place = partitions.place(up)          # the same for every pattern that groups alike
    partitions.told(0, place)             # the group in `place` of every value

A partition is apart from what its words cost or are called. Groups are numbered as they first
occur, so equal partitions are equal arrays; 0 is every value for itself. `middle` groups values
that hardly any coarse pattern tells apart: a step on the way down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tokumei.apps.price.problem import Candidate

FINEST_PARTITION = 0
ABSENT_ATTRIBUTE = -1


class AttributePartitions:
    """The partitions of one attribute that were met so far."""

    def __init__(self, values: int) -> None:
        self._group_by_value: list[np.ndarray] = []
        self._index_by_key: dict[bytes, int] = {}
        self._coarser_maps: dict[tuple[int, int], np.ndarray | None] = {}
        self.sizes: list[int] = []
        self.telling = np.ones((1, 1), dtype=bool)
        """`[p, q]`: whether p tells the groups of q; the last one is the attribute's absence."""
        self.middle = FINEST_PARTITION
        self.place(np.arange(values))

    def place(self, group_by_value: np.ndarray) -> int:
        """The place of a partition, found or new."""
        groups = number_by_first_occurrence(group_by_value)[0].astype(
            smallest_int_type(len(group_by_value))
        )
        key = groups.tobytes()
        if key not in self._index_by_key:
            self._add_partition(key, groups)
            self._choose_middle()
        return self._index_by_key[key]

    def told(self, p: int, q: int) -> np.ndarray | None:
        """For every group of p that of q; None if p does not tell it."""
        if (p, q) not in self._coarser_maps:
            fine, coarse = self._group_by_value[p], self._group_by_value[q]
            coarser_group = np.zeros(self.sizes[p], dtype=coarse.dtype)
            coarser_group[fine] = coarse
            self._coarser_maps[p, q] = (
                coarser_group if bool((coarser_group[fine] == coarse).all()) else None
            )
        return self._coarser_maps[p, q]

    def _add_partition(self, key: bytes, groups: np.ndarray) -> int:
        index = self._index_by_key[key] = len(self._group_by_value)
        self._group_by_value.append(groups)
        self.sizes.append(int(groups.max()) + 1)
        count = len(self._group_by_value)
        telling = np.zeros((count + 1, count + 1), dtype=bool)
        telling[:, ABSENT_ATTRIBUTE] = True
        for p in range(count):
            for q in range(count):
                telling[p, q] = self.told(p, q) is not None
        self.telling = telling
        return index

    def _choose_middle(self) -> None:
        """The common refinement of all partitions with at most half as many groups as values."""
        half = self.sizes[FINEST_PARTITION] / 2
        coarse = [
            group_by_value
            for group_by_value, size in zip(self._group_by_value, self.sizes, strict=True)
            if size <= half
        ]
        if not coarse:
            return
        keys = np.zeros(len(self._group_by_value[FINEST_PARTITION]), dtype=np.int64)
        for group_by_value in coarse:
            keys = number_by_first_occurrence(keys * self.sizes[FINEST_PARTITION] + group_by_value)[
                0
            ]
        groups = keys.astype(self._group_by_value[FINEST_PARTITION].dtype)
        key = groups.tobytes()
        self.middle = (
            self._index_by_key[key]
            if key in self._index_by_key
            else self._add_partition(key, groups)
        )


def smallest_int_type(numbers: int) -> type[np.integer]:
    """As few bytes as numbers below this need."""
    return np.uint8 if numbers <= 2**8 else np.uint16 if numbers <= 2**16 else np.int64


def number_by_first_occurrence(group_by_value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Groups numbered as they first occur, and the old number of each."""
    old, first, inverse = np.unique(group_by_value, return_index=True, return_inverse=True)
    order = np.argsort(first)
    new = np.empty(len(old), dtype=np.int64)
    new[order] = np.arange(len(old))
    return new[inverse], old[order]


MAX_DENSE_CELLS = 1 << 24
"""Up to so many possible groups are counted in place; above, keys are sorted."""
MAX_KEY = 1 << 62

RollUpColumn = tuple[np.ndarray, np.ndarray | None, int]
"""Every group's word, what becomes of each word (None: it stays), and how many there are then."""


@dataclass(frozen=True)
class GroupSizes:
    """Which group sizes occur (ascending), and the rows in groups up to each."""

    sizes: np.ndarray
    rows: np.ndarray

    def smallest_from(self, k: int) -> int:
        """The smallest group of at least k; 0 if there is none."""
        index = int(np.searchsorted(self.sizes, k))
        return int(self.sizes[index]) if index < len(self.sizes) else 0

    def rows_below(self, k: int) -> int:
        """How many rows are in groups smaller than k."""
        index = int(np.searchsorted(self.sizes, k))
        return int(self.rows[index - 1]) if index else 0


@dataclass(frozen=True, eq=False)
class GroupTable:
    """Groups with their counts; `words[j]` is every group's word in attribute j (None: absent)."""

    candidate: Candidate
    words: tuple[np.ndarray | None, ...]
    counts: np.ndarray

    @property
    def rows(self) -> int:
        """How many groups."""
        return len(self.counts)

    @cached_property
    def weights(self) -> np.ndarray:
        """The counts as bincount adds them up."""
        return self.counts.astype(np.float64)


def count_group_sizes(counts: np.ndarray) -> GroupSizes:
    """The sizes of some groups."""
    if counts.max() < 4 * len(counts) + 1024:
        groups = np.bincount(counts)
        sizes = np.flatnonzero(groups)
        return GroupSizes(sizes, np.cumsum(sizes * groups[sizes]))
    sizes, groups = np.unique(counts, return_counts=True)
    return GroupSizes(sizes, np.cumsum(sizes * groups))


def roll_up(
    candidate: Candidate, columns: Sequence[RollUpColumn | None], table: GroupTable
) -> GroupTable:
    """The table's groups put together by coarser words."""
    present = [column for column in columns if column is not None]
    if not present:
        absent = (None,) * len(columns)
        return GroupTable(candidate, absent, table.counts.sum(keepdims=True))
    keys, cells = _combine_keys(present)
    dense = cells is not None and cells <= min(MAX_DENSE_CELLS, 32 * len(keys) + 1024)
    if dense:
        summed = np.bincount(keys, weights=table.weights)
        occupied_cells = np.flatnonzero(summed)
        words = iter(_decode_keys(occupied_cells, [column[2] for column in present]))
        counts = summed[occupied_cells].astype(np.int64)
    else:
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        words = iter(
            [
                _map_to_coarser(finer[order[first]], coarser_group)
                for finer, coarser_group, _ in present
            ]
        )
        counts = np.add.reduceat(table.counts[order], first)
    group_words = tuple(None if column is None else next(words) for column in columns)
    return GroupTable(candidate, group_words, counts)


def _combine_keys(columns: Sequence[RollUpColumn]) -> tuple[np.ndarray, int | None]:
    """One number per group for its words; how many are possible, if words can be read off it."""
    keys, cells, is_decodable = np.zeros(len(columns[0][0]), dtype=np.int64), 1, True
    for finer, coarser_group, base in columns:
        if cells > MAX_KEY // base:
            distinct_keys, keys = np.unique(keys, return_inverse=True)
            cells, is_decodable = len(distinct_keys), False
        keys *= base
        keys += _map_to_coarser(finer, coarser_group)
        cells *= base
    return keys, cells if is_decodable else None


def _decode_keys(keys: np.ndarray, bases: Sequence[int]) -> list[np.ndarray]:
    words = []
    for base in reversed(bases):
        keys, word = np.divmod(keys, base)
        words.append(word.astype(smallest_int_type(base)))
    return words[::-1]


def _map_to_coarser(finer: np.ndarray, coarser_group: np.ndarray | None) -> np.ndarray:
    if coarser_group is None:
        return finer
    if finer.dtype == coarser_group.dtype == np.uint8:
        # Bytes are translated several times faster than an array is indexed.
        table = coarser_group.tobytes().ljust(256, b"\0")
        return np.frombuffer(finer.tobytes().translate(table), dtype=np.uint8)
    return np.asarray(coarser_group[finer])
