"""Tables of groups with their counts, and rolling them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokumei.price.partitions import narrow
from tokumei.price.problem import Candidate

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
