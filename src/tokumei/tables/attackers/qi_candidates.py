"""Finds the known rows that fit the quasi-identifiers of a released row.

Candidates are a guess in which all known rows of a set are equally likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import canonicalize_column, equivalence_class_codes
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.data.column_encoding import dense_codes, joint_codes
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table

FEW_VALUES = 8
"""The bits of so few values are joined rather than looked up row by row."""


def match_equal_qi(released: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]) -> Guess:
    """Known rows with exactly the same QI vector."""
    known_codes, released_codes = joint_codes(known, released, columns)
    code_count = int(max(released_codes.max(initial=-1), known_codes.max(initial=-1))) + 1
    sizes = np.bincount(known_codes, minlength=code_count)
    start = np.concatenate([[0], np.cumsum(sizes)])
    group = np.where(sizes[released_codes] > 0, released_codes, ABSTAIN)
    return Guess(group, start, np.argsort(known_codes, kind="stable"))


def match_consistent_qi(
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
        readers = {
            column: ColumnReader.of(known[column], released[column], hierarchies.get(column))
            for column in columns
        }
    generalized_names = [
        name for name, reader in readers.items() if reader.reads(released[name], strict=strict)
    ]
    if not generalized_names:
        return match_equal_qi(released, known, columns)
    candidates = _match_cells(released, known, [readers[name] for name in generalized_names])
    return narrow_by_equal(
        candidates, released, known, [name for name in columns if name not in generalized_names]
    )


def _match_cells(released: pl.DataFrame, known: pl.DataFrame, readers: list[ColumnReader]) -> Guess:
    """Known rows inside every cell, looked up once for every vector of cells."""
    names = [reader.name for reader in readers]
    classes = equivalence_class_codes(released, names)
    _, first_rows = np.unique(classes, return_index=True)
    columns = [_KnownColumn(reader, known[reader.name]) for reader in readers]
    cells = zip(*(canonicalize_column(released[name][first_rows]) for name in names), strict=True)
    row_sets = [_matching_rows(vector, columns, known.height) for vector in cells]
    sizes = np.array([len(rows) for rows in row_sets], dtype=np.int64)
    group = np.where(sizes[classes] > 0, classes, ABSTAIN)
    rows = np.concatenate(row_sets) if row_sets else np.empty(0, dtype=np.int64)
    return Guess(group, np.concatenate([[0], np.cumsum(sizes)]), rows)


def _matching_rows(
    cells: Sequence[str | None], columns: list[_KnownColumn], known: int
) -> np.ndarray:
    bits = np.full((known + 7) // 8, 255, dtype=np.uint8)
    for cell, column in zip(cells, columns, strict=True):
        bits &= column.inside(cell)
    # Most bytes are zero: unpack the others only.
    nonzero_bytes = np.flatnonzero(bits)
    byte, bit = np.nonzero(np.unpackbits(bits[nonzero_bytes]).reshape(-1, 8))
    rows = nonzero_bytes[byte] * 8 + bit
    return np.asarray(rows[rows < known])


class _KnownColumn:
    """One known column as codes, with a bit set of the known rows inside each cell so far."""

    def __init__(self, reader: ColumnReader, known: pl.Series) -> None:
        self.reader = reader
        self.codes = dense_codes(canonicalize_column(known), reader.values)
        self.seen: dict[str | None, np.ndarray] = {}
        self.values: dict[int, np.ndarray] = {}

    def inside(self, text: str | None) -> np.ndarray:
        if text not in self.seen:
            allowed = self.reader.covered(self.reader.read(text))
            few_values = (
                np.flatnonzero(allowed)
                if allowed.sum() <= FEW_VALUES
                else np.empty(0, dtype=np.int64)
            )
            if len(few_values):
                self.seen[text] = np.bitwise_or.reduce(
                    [self._rows_with_value(value) for value in few_values]
                )
            else:
                self.seen[text] = np.packbits(allowed[self.codes])
        return self.seen[text]

    def _rows_with_value(self, value: np.int64) -> np.ndarray:
        """A bit for every known row with one value."""
        code = int(value)
        if code not in self.values:
            self.values[code] = np.packbits(self.codes == code)
        return self.values[code]


def narrow_by_equal(
    candidates: Guess, released: pl.DataFrame, known: pl.DataFrame, columns: Sequence[str]
) -> Guess:
    """The rows of every set that have the released row's values in some columns, too."""
    if not columns:
        return candidates
    known_codes, released_codes = joint_codes(known, released, columns)
    code_count = int(max(released_codes.max(initial=-1), known_codes.max(initial=-1))) + 1
    keys = np.repeat(np.arange(len(candidates.start) - 1), np.diff(candidates.start)) * code_count
    keys += known_codes[candidates.rows]
    order = np.argsort(keys, kind="stable")
    sets, start = np.unique(keys[order], return_index=True)
    wanted_keys = np.where(candidates.answered, candidates.group * code_count + released_codes, -1)
    position = np.searchsorted(sets, wanted_keys)
    is_present = np.append(sets, -2)[position] == wanted_keys
    group = np.where(is_present, position, ABSTAIN)
    return Guess(group, np.append(start, len(order)), candidates.rows[order])


def match_equal_qi_or_all(public: Table, knowledge: Knowledge) -> Guess:
    """Known rows with the same QI vector; all of them where nobody has it."""
    qi = knowledge.table.schema.qi
    return fill_with_everyone(
        match_equal_qi(public.frame, knowledge.table.frame, qi), knowledge.rows
    )


def fill_with_everyone(candidates: Guess, known: int) -> Guess:
    """Released rows without a match get the set of all known rows."""
    if candidates.answered.all():
        return candidates
    group = np.where(candidates.answered, candidates.group, len(candidates.start) - 1)
    start = np.append(candidates.start, candidates.start[-1] + known)
    return Guess(group, start, np.concatenate([candidates.rows, np.arange(known)]))
