"""Which people fit which released rows: inside every cell of the columns that are known.

    for classes, fits in fit_blocks(seen):      # a block of distinct released rows
        fits @ weights                          # sparse: released rows × distinct people

Bits stand for people, so that a released row costs one AND per column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from tokumei.tables.audit.columns import Column
from tokumei.tables.audit.seen import Distinct, Seen

BLOCK = 512
TABLE_BYTES = 1 << 26
"""A column whose bits take more is looked up block by block."""


@dataclass(frozen=True, eq=False)
class Bits:
    """A column's cells as sets of people: which of them (by place of value) may be behind each."""

    column: Column
    people: np.ndarray

    def of(self, cells: np.ndarray) -> np.ndarray:
        """Packed bits over the people for each of some cells."""
        if self.table is not None:
            return np.asarray(self.table[cells])
        different, which = np.unique(cells, return_inverse=True)
        return np.asarray(self._packed(different)[which])

    @cached_property
    def table(self) -> np.ndarray | None:
        """The bits of every cell, if that is not too much."""
        cells = len(self.column.plain)
        if cells * (len(self.people) // 8 + 1) > TABLE_BYTES:
            return None
        parts = [self._packed(np.arange(i, min(i + BLOCK, cells))) for i in range(0, cells, BLOCK)]
        return np.concatenate(parts)

    def _packed(self, cells: np.ndarray) -> np.ndarray:
        if self.column.reader is None:
            return np.packbits(cells[:, None] == self.people, axis=1)
        return np.packbits(self.column.covers(cells)[:, self.people], axis=1)


def fit_blocks(seen: Seen) -> Iterator[tuple[np.ndarray, sparse.csr_array]]:
    """Places of distinct released rows, and who of the distinct people fits each, as 0 and 1."""
    general = [column for column in seen.columns if column.general]
    people, release = seen.people, seen.classes
    shown, known = _joint(seen)
    if not general:
        yield np.arange(len(release)), _equal(shown, known)
        return
    tables = [Bits(column, column.known[people.first]) for column in general]
    for begin in range(0, len(release), BLOCK):
        block = np.arange(begin, min(begin + BLOCK, len(release)))
        rows = release.first[block]
        bits = np.bitwise_and.reduce([one.of(one.column.released[rows]) for one in tables], axis=0)
        if len(general) < len(seen.columns):
            bits &= np.packbits(shown[block, None] == known, axis=1)
        yield block, as_sparse(bits, len(people))


def as_sparse(bits: np.ndarray, width: int) -> sparse.csr_array:
    """Packed bits as a sparse matrix of ones."""
    rows, places = np.nonzero(bits)
    inside = np.unpackbits(bits[rows, places][:, None], axis=1)
    pair, bit = np.nonzero(inside)
    columns = places[pair] * 8 + bit
    first = np.searchsorted(rows[pair], np.arange(len(bits) + 1))
    ones = np.ones(len(columns))
    return sparse.csr_array((ones, columns, first), shape=(len(bits), width))


def _joint(seen: Seen) -> tuple[np.ndarray, np.ndarray]:
    """A number for the exact cells of every distinct released row and person; equal if they are."""
    exact = [column for column in seen.columns if not column.general]
    people, release = seen.people.first, seen.classes.first
    both = [np.concatenate([column.released[release], column.known[people]]) for column in exact]
    place = Distinct.of(both, len(release) + len(people)).place
    return place[: len(release)], place[len(release) :]


def _equal(shown: np.ndarray, known: np.ndarray) -> sparse.csr_array:
    """Who has exactly a released row: at most one of the distinct people."""
    order = np.argsort(known)
    found = np.searchsorted(known[order], shown)
    found = np.minimum(found, len(known) - 1)
    hit = known[order][found] == shown
    rows = np.flatnonzero(hit)
    shape = (len(shown), len(known))
    return sparse.csr_array((np.ones(len(rows)), (rows, order[found[rows]])), shape=shape)
