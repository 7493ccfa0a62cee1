"""Looks up columns of few values together: one hash for a block of columns.

    blocks = Blocks.of(codes, ups)
    blocks.levels(vectors)              # the level of every block on level vectors

The hash of a tuple on a level vector is the sum of those of its nodes, so that of a block can be
added up beforehand for all values and levels of its columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

MAX_BLOCK_CODES, MAX_BLOCK_PLACES = 512, 2**16
"""A block has at most so many codes (or one column), on all its levels at most so many places."""


class ColumnBlocks(NamedTuple):
    """`codes[t, b]` of the tuples; the hash of code c on level l stands at `starts[b, l] + c`."""

    codes: np.ndarray
    hashes: np.ndarray
    starts: np.ndarray
    steps: np.ndarray
    """By column and block: how much a level of the column adds to that of the block."""

    @classmethod
    def of(cls, codes: np.ndarray, ups: Sequence[np.ndarray]) -> ColumnBlocks:
        """The blocks of neighbouring columns; every node gets a random hash."""
        random = np.random.default_rng(0)
        joined, tables, steps = list[np.ndarray](), list[np.ndarray](), list[np.ndarray]()
        for j, up in enumerate(ups):
            new = np.stack(
                [random.integers(2**63, size=n.max() + 1, dtype=np.uint64)[n] for n in up]
            )
            column, level_steps = codes[:, j], np.arange(len(ups)) == j
            if tables and _can_join(tables[-1], new):
                column = joined.pop() * new.shape[1] + column
                level_steps = steps.pop() * len(new) + level_steps
                new = _join_tables(tables.pop(), new)
            joined.append(column)
            tables.append(new)
            steps.append(level_steps.astype(np.int64))
        starts = np.zeros((len(tables), max(map(len, tables))), dtype=np.int64)
        place = 0
        for b, table in enumerate(tables):
            starts[b, : len(table)] = place + np.arange(len(table)) * table.shape[1]
            place += table.size
        return cls(
            np.column_stack(joined).astype(np.int32),
            np.concatenate([table.ravel() for table in tables]),
            starts,
            np.column_stack(steps),
        )

    def levels(self, vectors: np.ndarray) -> np.ndarray:
        """The level of every block on one vector or many."""
        return np.ascontiguousarray(vectors @ self.steps)


def _can_join(table: np.ndarray, other: np.ndarray) -> bool:
    """Whether two tables (levels × codes) may become one."""
    return (
        table.shape[1] * other.shape[1] <= MAX_BLOCK_CODES
        and table.size * other.size <= MAX_BLOCK_PLACES
    )


def _join_tables(table: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The hashes of all pairs of levels and codes."""
    sums: np.ndarray = table[:, None, :, None] + other[None, :, None, :]
    return sums.reshape(len(table) * len(other), -1)
