"""Who may be behind a released row, by its quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.cells import Shape, canonical, class_codes, is_general, number, parse_cell
from tokumei.tables.data.codes import dense_codes, joint_codes

NOBODY = -1


@dataclass(frozen=True, eq=False)
class Candidates:
    """Sets of known rows: released row i may be any of set `group[i]` (NOBODY: no match)."""

    group: np.ndarray
    start: np.ndarray
    rows: np.ndarray

    def size(self) -> np.ndarray:
        """How many known rows each set has."""
        return np.diff(self.start)


def same_vector(released: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]) -> Candidates:
    """Known rows with exactly the same QI vector."""
    right, left = joint_codes(known, released, columns)
    number = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
    sizes = np.bincount(right, minlength=number)
    start = np.concatenate([[0], np.cumsum(sizes)])
    group = np.where(sizes[left] > 0, left, NOBODY)
    return Candidates(group, start, np.argsort(right, kind="stable"))


def consistent_vector(
    released: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]
) -> Candidates:
    """Known rows that lie inside every generalized QI cell of the released row."""
    if not any(is_general(released[name]).any() for name in columns):
        return same_vector(released, known, columns)
    classes = class_codes(released, columns)
    _, first = np.unique(classes, return_index=True)
    distinct = released[first]
    fits = _Fits(distinct, known, columns)
    found = [fits.rows_of(i) for i in range(len(first))]
    sizes = np.array([len(rows) for rows in found], dtype=np.int64)
    group = np.where(sizes[classes] > 0, classes, NOBODY)
    rows = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
    return Candidates(group, np.concatenate([[0], np.cumsum(sizes)]), rows)


class _Fits:
    """Per column and distinct cell a bit set of the known rows inside it."""

    def __init__(self, distinct: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]) -> None:
        self.known = known.height
        self.cells = [canonical(distinct[name]).to_list() for name in columns]
        self.columns = [_Column(canonical(known[name])) for name in columns]

    def rows_of(self, i: int) -> np.ndarray:
        bits = np.full((self.known + 7) // 8, 255, dtype=np.uint8)
        for cells, column in zip(self.cells, self.columns, strict=True):
            bits &= column.inside(cells[i])
        # Most bytes are zero: unpack the others only.
        some = np.flatnonzero(bits)
        byte, bit = np.nonzero(np.unpackbits(bits[some]).reshape(-1, 8))
        rows = some[byte] * 8 + bit
        return rows[rows < self.known]


class _Column:
    """One known column as codes, with the bit sets asked for so far."""

    def __init__(self, texts: pl.Series) -> None:
        values = texts.unique().sort(nulls_last=False)
        self.codes = dense_codes(texts, values)
        self.places = {value: code for code, value in enumerate(values.to_list())}
        self.numbers = np.array([np.nan if v is None else number(v) for v in self.places])
        self.seen: dict[str | None, np.ndarray] = {}

    def inside(self, text: str | None) -> np.ndarray:
        if text not in self.seen:
            self.seen[text] = np.packbits(self._allowed(text)[self.codes])
        return self.seen[text]

    def _allowed(self, text: str | None) -> np.ndarray:
        """Which values the cell may stand for; a generalized known value only for itself."""
        cell = None if text is None else parse_cell(text)
        if cell is not None and cell.shape is Shape.SUPPRESSED:
            return np.ones(len(self.places), dtype=bool)
        allowed = np.zeros(len(self.places), dtype=bool)
        if cell is not None and cell.shape is Shape.INTERVAL:
            allowed = (cell.low <= self.numbers) & (self.numbers <= cell.high)
        members = cell.members if cell is not None and cell.shape is Shape.SET else frozenset()
        for value in (text, *members):
            if value in self.places:
                allowed[self.places[value]] = True
        return allowed
