"""Who may be behind a released row by its quasi-identifiers, and what is compared beyond them.

Candidates are a guess in which all known rows of a set are equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.cells import Shape, canonical, class_codes, is_general, number, parse_cell
from tokumei.tables.data.codes import dense_codes, joint_codes
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table


def same_vector(released: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]) -> Guess:
    """Known rows with exactly the same QI vector."""
    right, left = joint_codes(known, released, columns)
    number = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
    sizes = np.bincount(right, minlength=number)
    start = np.concatenate([[0], np.cumsum(sizes)])
    group = np.where(sizes[left] > 0, left, ABSTAIN)
    return Guess(group, start, np.argsort(right, kind="stable"))


def consistent_vector(released: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]) -> Guess:
    """Known rows that lie inside every generalized QI cell of the released row."""
    if not any(is_general(released[name]).any() for name in columns):
        return same_vector(released, known, columns)
    classes = class_codes(released, columns)
    _, first = np.unique(classes, return_index=True)
    distinct = released[first]
    fits = _Fits(distinct, known, columns)
    found = [fits.rows_of(i) for i in range(len(first))]
    sizes = np.array([len(rows) for rows in found], dtype=np.int64)
    group = np.where(sizes[classes] > 0, classes, ABSTAIN)
    rows = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
    return Guess(group, np.concatenate([[0], np.cumsum(sizes)]), rows)


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


def same_or_any(public: Table, knowledge: Knowledge) -> Guess:
    """Known rows with the same QI vector; all of them where nobody has it."""
    qi = knowledge.table.schema.qi
    return with_everyone(same_vector(public.frame, knowledge.table.frame, qi), knowledge.rows)


def with_everyone(found: Guess, known: int) -> Guess:
    """Released rows without a match get the set of all known rows."""
    if found.answered.all():
        return found
    group = np.where(found.answered, found.group, len(found.start) - 1)
    start = np.append(found.start, found.start[-1] + known)
    return Guess(group, start, np.concatenate([found.rows, np.arange(known)]))


def sa_values(
    public: Table, knowledge: Knowledge, columns: Sequence[str] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Known and released SA as numbers; a suppressed cell counts as the known mean."""
    names = list(columns if columns is not None else knowledge.table.schema.sa)
    known = knowledge.table.numbers(names)
    released = public.numbers(names)
    return known, np.where(np.isfinite(released), released, known.mean(axis=0))


def sa_ranges(public: Table, knowledge: Knowledge) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Known SA, and the lowest and highest value that each released cell allows."""
    names = knowledge.table.schema.sa
    low, high = public.ranges(names)
    known = knowledge.table.numbers(names)
    if low is high and not np.isnan(low).any():
        return known, low, low
    return known, np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def scales(known: np.ndarray) -> np.ndarray:
    """The standard deviation of each known column, 1 where it is constant."""
    sd = known.std(axis=0)
    return np.where(sd > 0, sd, 1.0)
