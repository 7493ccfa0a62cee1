"""The attacker's view: the release, the people who may be in it, and a reference.

    seen = AttackerObservation(columns, targets=400, reference=200, model="together")
    seen.people.times               # how many of the known people share each distinct row
    for classes, fits in iterate_fitting_people(seen):      # a block of distinct released rows
        fits @ weights                          # sparse: released rows × distinct people

Who is a member is nowhere in it, and the targets come in random order. Equal rows are told apart
by nothing, so that every search goes over distinct rows that count several times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from scipy import sparse

from tokumei.tables.audit.released_columns import ReleasedColumn
from tokumei.tables.data.column_encoding import number_tuples

AttackerModel = Literal["together", "alone"]
MIN_MEASURED_COLUMNS = 2
"""Beside generalized columns, fewer columns of single values have no distances worth a look."""


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Distinct rows: the place of every row in them, where each first stands, and how often."""

    place: np.ndarray
    first: np.ndarray
    times: np.ndarray

    @classmethod
    def of(cls, codes: Sequence[np.ndarray], rows: int) -> DistinctRows:
        """Of rows of codes; without a column all are alike."""
        row_index, count = np.zeros(rows, dtype=np.int64), min(rows, 1)
        if codes and rows:
            sizes = [int(column_codes.max()) + 1 for column_codes in codes]
            row_index, count = number_tuples(
                [column_codes.astype(np.int64) for column_codes in codes], sizes
            )
        first = np.zeros(count, dtype=np.int64)
        first[row_index[::-1]] = np.arange(rows - 1, -1, -1)
        return cls(row_index, first, np.bincount(row_index, minlength=count))

    def __len__(self) -> int:
        return len(self.first)


@dataclass(frozen=True, eq=False)
class AttackerObservation:
    """The columns that the attacker knows; known are the targets, the reference, and bystanders.

    Bystanders are on the attacker's list like the targets, but nobody asks about them.

    together: the attacker has a list of people with all members in it, and they compete for the
    released rows. alone: the attacker looks at one target at a time, beside the reference.
    """

    columns: tuple[ReleasedColumn, ...]
    targets: int
    reference: int
    rows: int
    model: AttackerModel = "together"
    bystanders: int = 0

    @property
    def exact(self) -> bool:
        """Whether every cell of the release is a single value."""
        return not any(column.general for column in self.columns)

    @cached_property
    def measured(self) -> AttackerObservation | None:
        """What distances can be measured by: the columns of single values.

        Cells that stand for several have none; one such column does not hide the others.
        """
        if self.exact:
            return self
        single_columns = [
            single_column
            for column in self.columns
            if (single_column := column.single()) is not None
        ]
        return (
            replace(self, columns=tuple(single_columns))
            if len(single_columns) >= MIN_MEASURED_COLUMNS
            else None
        )

    @property
    def together(self) -> bool:
        """Whether the targets compete."""
        return self.model == "together"

    @cached_property
    def people(self) -> DistinctRows:
        """The known people."""
        known = [column.known for column in self.columns]
        return DistinctRows.of(known, self.targets + self.reference + self.bystanders)

    @cached_property
    def classes(self) -> DistinctRows:
        """The released rows."""
        return DistinctRows.of([column.released for column in self.columns], self.rows)

    @cached_property
    def target_times(self) -> np.ndarray:
        """How many targets have each of the people's distinct rows."""
        return np.bincount(self.people.place[: self.targets], minlength=len(self.people))

    @cached_property
    def reference_times(self) -> np.ndarray:
        """How many people of the reference have each of the people's distinct rows."""
        place = self.people.place[self.targets : self.targets + self.reference]
        return np.bincount(place, minlength=len(self.people))

    @property
    def rivals(self) -> np.ndarray:
        """How many of the people an attacker takes into account have each distinct row."""
        return self.people.times if self.together else self.reference_times

    def scores_of_targets(self, scores: np.ndarray) -> np.ndarray:
        """Figures of the people's distinct rows as those of the targets."""
        return np.asarray(scores[self.people.place[: self.targets]])


BLOCK_ROWS = 512
MAX_TABLE_BYTES = 1 << 26
"""A column whose bits take more is looked up block by block."""


@dataclass(frozen=True, eq=False)
class CellBits:
    """A column's cells as sets of people: which of them (by place of value) may be behind each."""

    column: ReleasedColumn
    people: np.ndarray

    def of(self, cells: np.ndarray) -> np.ndarray:
        """Packed bits over the people for each of some cells."""
        if self.bits_of_all_cells is not None:
            return np.asarray(self.bits_of_all_cells[cells])
        distinct_cells, cell_index = np.unique(cells, return_inverse=True)
        return np.asarray(self._pack_cells(distinct_cells)[cell_index])

    @cached_property
    def bits_of_all_cells(self) -> np.ndarray | None:
        """The bits of every cell, if that is not too much."""
        cells = len(self.column.plain)
        if cells * (len(self.people) // 8 + 1) > MAX_TABLE_BYTES:
            return None
        parts = [
            self._pack_cells(np.arange(i, min(i + BLOCK_ROWS, cells)))
            for i in range(0, cells, BLOCK_ROWS)
        ]
        return np.concatenate(parts)

    def _pack_cells(self, cells: np.ndarray) -> np.ndarray:
        if self.column.reader is None:
            return np.packbits(cells[:, None] == self.people, axis=1)
        return np.packbits(self.column.covers(cells)[:, self.people], axis=1)


def iterate_fitting_people(
    seen: AttackerObservation,
) -> Iterator[tuple[np.ndarray, sparse.csr_array]]:
    """Places of distinct released rows, and who of the distinct people fits each, as 0 and 1.

    Who fits is inside every cell of the known columns. Bits stand for people, so that a released
    row costs one AND per column.
    """
    general_columns = [column for column in seen.columns if column.general]
    people, release = seen.people, seen.classes
    released_codes, people_codes = _joint_codes(seen)
    if not general_columns:
        yield np.arange(len(release)), _match_equal_rows(released_codes, people_codes)
        return
    tables = [CellBits(column, column.known[people.first]) for column in general_columns]
    for begin in range(0, len(release), BLOCK_ROWS):
        block = np.arange(begin, min(begin + BLOCK_ROWS, len(release)))
        rows = release.first[block]
        bits = np.bitwise_and.reduce(
            [bit_table.of(bit_table.column.released[rows]) for bit_table in tables], axis=0
        )
        if len(general_columns) < len(seen.columns):
            bits &= np.packbits(released_codes[block, None] == people_codes, axis=1)
        yield block, to_sparse(bits, len(people))


def to_sparse(bits: np.ndarray, width: int) -> sparse.csr_array:
    """Packed bits as a sparse matrix of ones."""
    rows, places = np.nonzero(bits)
    unpacked = np.unpackbits(bits[rows, places][:, None], axis=1)
    pair, bit = np.nonzero(unpacked)
    columns = places[pair] * 8 + bit
    first = np.searchsorted(rows[pair], np.arange(len(bits) + 1))
    ones = np.ones(len(columns))
    return sparse.csr_array((ones, columns, first), shape=(len(bits), width))


def _joint_codes(seen: AttackerObservation) -> tuple[np.ndarray, np.ndarray]:
    """A number for the exact cells of every distinct released row and person; equal if they are."""
    exact_columns = [column for column in seen.columns if not column.general]
    people, release = seen.people.first, seen.classes.first
    joint_columns = [
        np.concatenate([column.released[release], column.known[people]]) for column in exact_columns
    ]
    row_index = DistinctRows.of(joint_columns, len(release) + len(people)).place
    return row_index[: len(release)], row_index[len(release) :]


def _match_equal_rows(shown: np.ndarray, known: np.ndarray) -> sparse.csr_array:
    """Who has exactly a released row: at most one of the distinct people."""
    order = np.argsort(known)
    position = np.searchsorted(known[order], shown)
    position = np.minimum(position, len(known) - 1)
    is_match = known[order][position] == shown
    rows = np.flatnonzero(is_match)
    shape = (len(shown), len(known))
    return sparse.csr_array((np.ones(len(rows)), (rows, order[position[rows]])), shape=shape)
