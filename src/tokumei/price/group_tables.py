"""Tables of groups with their counts, rolling them up, and how patterns group values.

    partitions = Partitions(73)
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
    from tokumei.price.problem import Candidate

FINEST = 0
ABSENT = -1


class Partitions:
    """The partitions of one attribute that were met so far."""

    def __init__(self, values: int) -> None:
        self._ups: list[np.ndarray] = []
        self._places: dict[bytes, int] = {}
        self._told: dict[tuple[int, int], np.ndarray | None] = {}
        self.sizes: list[int] = []
        self.telling = np.ones((1, 1), dtype=bool)
        """`[p, q]`: whether p tells the groups of q; the last one is the attribute's absence."""
        self.middle = FINEST
        self.place(np.arange(values))

    def place(self, up: np.ndarray) -> int:
        """The place of a partition, found or new."""
        groups = by_first(up)[0].astype(narrow(len(up)))
        key = groups.tobytes()
        if key not in self._places:
            self._add(key, groups)
            self._choose_middle()
        return self._places[key]

    def told(self, p: int, q: int) -> np.ndarray | None:
        """For every group of p that of q; None if p does not tell it."""
        if (p, q) not in self._told:
            fine, coarse = self._ups[p], self._ups[q]
            told = np.zeros(self.sizes[p], dtype=coarse.dtype)
            told[fine] = coarse
            self._told[p, q] = told if bool((told[fine] == coarse).all()) else None
        return self._told[p, q]

    def _add(self, key: bytes, groups: np.ndarray) -> int:
        place = self._places[key] = len(self._ups)
        self._ups.append(groups)
        self.sizes.append(int(groups.max()) + 1)
        count = len(self._ups)
        telling = np.zeros((count + 1, count + 1), dtype=bool)
        telling[:, ABSENT] = True
        for p in range(count):
            for q in range(count):
                telling[p, q] = self.told(p, q) is not None
        self.telling = telling
        return place

    def _choose_middle(self) -> None:
        """The common refinement of all partitions with at most half as many groups as values."""
        half = self.sizes[FINEST] / 2
        coarse = [up for up, size in zip(self._ups, self.sizes, strict=True) if size <= half]
        if not coarse:
            return
        keys = np.zeros(len(self._ups[FINEST]), dtype=np.int64)
        for up in coarse:
            keys = by_first(keys * self.sizes[FINEST] + up)[0]
        groups = keys.astype(self._ups[FINEST].dtype)
        key = groups.tobytes()
        self.middle = self._places[key] if key in self._places else self._add(key, groups)


def narrow(numbers: int) -> type[np.integer]:
    """As few bytes as numbers below this need."""
    return np.uint8 if numbers <= 2**8 else np.uint16 if numbers <= 2**16 else np.int64


def by_first(up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Groups numbered as they first occur, and the old number of each."""
    old, first, places = np.unique(up, return_index=True, return_inverse=True)
    order = np.argsort(first)
    new = np.empty(len(old), dtype=np.int64)
    new[order] = np.arange(len(old))
    return new[places], old[order]


MOST_CELLS = 1 << 24
"""Up to so many possible groups are counted in place; above, keys are sorted."""
MOST_NUMBERS = 1 << 62

Column = tuple[np.ndarray, np.ndarray | None, int]
"""Every group's word, what becomes of each word (None: it stays), and how many there are then."""


@dataclass(frozen=True)
class Sizes:
    """Which group sizes occur (ascending), and the rows in groups up to each."""

    sizes: np.ndarray
    rows: np.ndarray

    def smallest_from(self, k: int) -> int:
        """The smallest group of at least k; 0 if there is none."""
        place = int(np.searchsorted(self.sizes, k))
        return int(self.sizes[place]) if place < len(self.sizes) else 0

    def rows_below(self, k: int) -> int:
        """How many rows are in groups smaller than k."""
        place = int(np.searchsorted(self.sizes, k))
        return int(self.rows[place - 1]) if place else 0


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


def sizes_of(counts: np.ndarray) -> Sizes:
    """The sizes of some groups."""
    if counts.max() < 4 * len(counts) + 1024:
        groups = np.bincount(counts)
        sizes = np.flatnonzero(groups)
        return Sizes(sizes, np.cumsum(sizes * groups[sizes]))
    sizes, groups = np.unique(counts, return_counts=True)
    return Sizes(sizes, np.cumsum(sizes * groups))


def grouped(
    candidate: Candidate, columns: Sequence[Column | None], table: GroupTable
) -> GroupTable:
    """The table's groups put together by coarser words."""
    present = [column for column in columns if column is not None]
    if not present:
        absent = (None,) * len(columns)
        return GroupTable(candidate, absent, table.counts.sum(keepdims=True))
    keys, cells = _keys(present)
    dense = cells is not None and cells <= min(MOST_CELLS, 32 * len(keys) + 1024)
    if dense:
        summed = np.bincount(keys, weights=table.weights)
        found = np.flatnonzero(summed)
        words = iter(_decoded(found, [column[2] for column in present]))
        counts = summed[found].astype(np.int64)
    else:
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        words = iter([_told(finer[order[first]], told) for finer, told, _ in present])
        counts = np.add.reduceat(table.counts[order], first)
    kept = tuple(None if column is None else next(words) for column in columns)
    return GroupTable(candidate, kept, counts)


def _keys(columns: Sequence[Column]) -> tuple[np.ndarray, int | None]:
    """One number per group for its words; how many are possible, if words can be read off it."""
    keys, cells, plain = np.zeros(len(columns[0][0]), dtype=np.int64), 1, True
    for finer, told, base in columns:
        if cells > MOST_NUMBERS // base:
            found, keys = np.unique(keys, return_inverse=True)
            cells, plain = len(found), False
        keys *= base
        keys += _told(finer, told)
        cells *= base
    return keys, cells if plain else None


def _decoded(keys: np.ndarray, bases: Sequence[int]) -> list[np.ndarray]:
    words = []
    for base in reversed(bases):
        keys, word = np.divmod(keys, base)
        words.append(word.astype(narrow(base)))
    return words[::-1]


def _told(finer: np.ndarray, told: np.ndarray | None) -> np.ndarray:
    if told is None:
        return finer
    if finer.dtype == told.dtype == np.uint8:
        # Bytes are translated several times faster than an array is indexed.
        table = told.tobytes().ljust(256, b"\0")
        return np.frombuffer(finer.tobytes().translate(table), dtype=np.uint8)
    return np.asarray(told[finer])
