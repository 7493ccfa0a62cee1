"""Who may be behind a released row by its quasi-identifiers.

Candidates are a guess in which all known rows of a set are equally likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import polars as pl

from tokumei.core.cells import canonical, class_codes
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.data.codes import dense_codes, joint_codes
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table

FEW = 8
"""The bits of so few values are joined rather than looked up row by row."""


def same_vector(released: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]) -> Guess:
    """Known rows with exactly the same QI vector."""
    right, left = joint_codes(known, released, columns)
    number = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
    sizes = np.bincount(right, minlength=number)
    start = np.concatenate([[0], np.cumsum(sizes)])
    group = np.where(sizes[left] > 0, left, ABSTAIN)
    return Guess(group, start, np.argsort(right, kind="stable"))


def consistent_vector(
    released: pl.DataFrame,
    known: pl.DataFrame,
    columns: Sequence[str],
    hierarchies: Hierarchies = MappingProxyType({}),
    *,
    strict: bool = True,
    readers: Mapping[str, ColumnReader] | None = None,
) -> Guess:
    """Known rows that every QI cell of the released row may stand for (see `cell_reader.py`).

    A cell that nothing explains is an error if `strict`, else it may stand for anything. `readers`
    are given where the rows are not all there are, but one for each of their kind.
    """
    if readers is None:
        readers = {q: ColumnReader.of(known[q], released[q], hierarchies.get(q)) for q in columns}
    general = [
        name for name, reader in readers.items() if reader.reads(released[name], strict=strict)
    ]
    if not general:
        return same_vector(released, known, columns)
    found = _inside(released, known, [readers[name] for name in general])
    return with_equal(found, released, known, [name for name in columns if name not in general])


def _inside(released: pl.DataFrame, known: pl.DataFrame, readers: list[ColumnReader]) -> Guess:
    """Known rows inside every cell, looked up once for every vector of cells."""
    names = [reader.name for reader in readers]
    classes = class_codes(released, names)
    _, first = np.unique(classes, return_index=True)
    columns = [_Column(reader, known[reader.name]) for reader in readers]
    cells = zip(*(canonical(released[name][first]) for name in names), strict=True)
    found = [_rows_of(vector, columns, known.height) for vector in cells]
    sizes = np.array([len(rows) for rows in found], dtype=np.int64)
    group = np.where(sizes[classes] > 0, classes, ABSTAIN)
    rows = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
    return Guess(group, np.concatenate([[0], np.cumsum(sizes)]), rows)


def _rows_of(cells: Sequence[str | None], columns: list[_Column], known: int) -> np.ndarray:
    bits = np.full((known + 7) // 8, 255, dtype=np.uint8)
    for cell, column in zip(cells, columns, strict=True):
        bits &= column.inside(cell)
    # Most bytes are zero: unpack the others only.
    some = np.flatnonzero(bits)
    byte, bit = np.nonzero(np.unpackbits(bits[some]).reshape(-1, 8))
    rows = some[byte] * 8 + bit
    return np.asarray(rows[rows < known])


class _Column:
    """One known column as codes, with a bit set of the known rows inside each cell so far."""

    def __init__(self, reader: ColumnReader, known: pl.Series) -> None:
        self.reader = reader
        self.codes = dense_codes(canonical(known), reader.values)
        self.seen: dict[str | None, np.ndarray] = {}
        self.values: dict[int, np.ndarray] = {}

    def inside(self, text: str | None) -> np.ndarray:
        if text not in self.seen:
            allowed = self.reader.covered(self.reader.read(text))
            few = np.flatnonzero(allowed) if allowed.sum() <= FEW else np.empty(0, dtype=np.int64)
            if len(few):
                self.seen[text] = np.bitwise_or.reduce([self._having(value) for value in few])
            else:
                self.seen[text] = np.packbits(allowed[self.codes])
        return self.seen[text]

    def _having(self, value: np.int64) -> np.ndarray:
        """A bit for every known row with one value."""
        place = int(value)
        if place not in self.values:
            self.values[place] = np.packbits(self.codes == place)
        return self.values[place]


def with_equal(
    found: Guess, released: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]
) -> Guess:
    """The rows of every set that have the released row's values in some columns, too."""
    if not columns:
        return found
    right, left = joint_codes(known, released, columns)
    number = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
    keys = np.repeat(np.arange(len(found.start) - 1), np.diff(found.start)) * number
    keys += right[found.rows]
    order = np.argsort(keys, kind="stable")
    sets, start = np.unique(keys[order], return_index=True)
    wanted = np.where(found.answered, found.group * number + left, -1)
    place = np.searchsorted(sets, wanted)
    there = np.append(sets, -2)[place] == wanted
    group = np.where(there, place, ABSTAIN)
    return Guess(group, np.append(start, len(order)), found.rows[order])


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
