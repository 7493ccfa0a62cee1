"""Distance of sensitive texts: 0 if equal, 1 if not, 1 − 1/size for a set.

A released set (a label, a masked text) that the known value is in counts 1 − 1/size, any other one
counts 1. Missing is a value that equals itself only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import CellShape, canonicalize_column
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.column_encoding import dense_codes, joint_codes
from tokumei.tables.hierarchies.hierarchy import Hierarchy

NO_MATCH = -1
FEW_VALUES = 16
HASH_BITS = 12


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A sensitive text on both sides, as places among the known values.

    `released`: the place of a plain cell, NOBODY if no known row has it; `general`: the row of
    `inside` that says for every known value whether a generalized cell may stand for it.
    """

    known: np.ndarray
    released: np.ndarray
    general: np.ndarray
    inside: np.ndarray
    weight: float
    """What a square of 1 counts beside the numbers."""

    @classmethod
    def of(
        cls, known: pl.Series, released: pl.Series, hierarchy: Hierarchy | None, weight: float
    ) -> TextColumn:
        """From both columns."""
        reader = ColumnReader.of(known, released, hierarchy)
        cells = canonicalize_column(released)
        distinct = cells.unique(maintain_order=True)
        plain, general, inside = (list[int](), list[int](), list[np.ndarray]())
        for text in distinct:
            cell = reader.read(text)
            if cell.shape is CellShape.PLAIN or text is None:
                plain.append(reader.places.get(text, NO_MATCH))
                general.append(NO_MATCH)
                continue
            plain.append(NO_MATCH)
            general.append(len(inside))
            inside.append(reader.covered(cell))
        cell_index = joint_codes(distinct.to_frame("cell"), cells.to_frame("cell"), ["cell"])[1]
        return cls(
            dense_codes(canonicalize_column(known), reader.values),
            np.array(plain, dtype=np.int64)[cell_index],
            np.array(general, dtype=np.int64)[cell_index],
            np.array(inside, dtype=bool).reshape(len(inside), len(reader.values)),
            weight,
        )

    def squares(self, released_rows: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The squares of the differences of released rows and known rows, pair by pair."""
        known, general = self.known[rows], self.general[released_rows]
        squares = (self.released[released_rows] != known).astype(np.float64)
        general_pairs = np.flatnonzero(general != NO_MATCH)
        if len(general_pairs):
            set_distance = 1.0 - 1.0 / np.maximum(self.inside.sum(axis=1), 1)
            covered = self.inside[general[general_pairs], known[general_pairs]]
            squares[general_pairs] = np.where(
                covered, set_distance[general[general_pairs]] ** 2, 1.0
            )
        return np.asarray(squares * self.weight)

    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """Both sides as points of which those of different values are about as far as they count.

        Many values share few columns, by the bits of a number that is scattered.
        """
        values = self.inside.shape[1]
        if values <= FEW_VALUES:
            points = np.eye(values) * np.sqrt(self.weight / 2)
        else:
            hashed = (np.arange(values, dtype=np.uint64) * np.uint64(2654435761)) >> np.uint64(7)
            bits = (hashed[:, None] >> np.arange(HASH_BITS, dtype=np.uint64)) & np.uint64(1)
            points = (2.0 * bits - 1.0) * np.sqrt(self.weight / (2 * HASH_BITS))
        no_match_point = np.zeros((1, points.shape[1]))
        return points[self.known], np.concatenate([points, no_match_point])[self.released]


@dataclass(frozen=True, eq=False)
class GapAndTextCosts:
    """What gaps and texts count: the square of a gap on one side by column, the texts."""

    cost: np.ndarray
    texts: Sequence[TextColumn] = ()

    def squares(self, released_rows: np.ndarray, rows: np.ndarray) -> np.ndarray | float:
        """What the texts of released rows and known rows count, pair by pair."""
        return sum((text.squares(released_rows, rows) for text in self.texts), start=0.0)

    def equal(self) -> tuple[np.ndarray, np.ndarray]:
        """A number for the texts of every known and released row, equal if all of them are.

        Generalized cells equal none.
        """
        known = np.zeros(len(self.texts[0].known), dtype=np.int64)
        released = np.zeros(len(self.texts[0].released), dtype=np.int64)
        for text in self.texts:
            stacked = np.concatenate([known, released])
            text_codes = np.concatenate([text.known, text.released])
            code_span = int(text_codes.max(initial=0)) + 2
            _, codes = np.unique(stacked * code_span + text_codes + 1, return_inverse=True)
            known, released = codes[: len(known)], codes[len(known) :]
        has_no_match = np.logical_or.reduce([text.released == NO_MATCH for text in self.texts])
        return known, np.where(has_no_match, NO_MATCH, released)
