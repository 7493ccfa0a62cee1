"""Finds what tight cells reveal to an attacker who knows that classes are minimal.

Every end of an interval and every member of a set is somebody's value. So in a class of n rows a
set of n values, or an interval of two rows (three beside a gap), gives all values of that column;
if it is the only column that is generalized, all n records are exact again (downcoding, Cohen
2022). A label of a hierarchy is the least one that fits, so of two rows both children are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import (
    Cell,
    CellShape,
    canonicalize_column,
    equivalence_class_codes,
    parse_cell,
)
from tokumei.tables.data.cell_reader import ColumnReader


@dataclass(frozen=True, eq=False)
class ClassHulls:
    """The classes of a release: their sizes, and their cells by column, one for each class."""

    of: np.ndarray
    sizes: np.ndarray
    cells: Mapping[str, list[Cell]]

    @classmethod
    def of_frame(
        cls,
        public: pl.DataFrame,
        qi: Sequence[str],
        readers: Mapping[str, ColumnReader] | None = None,
    ) -> ClassHulls:
        """As `readers` understand them; without readers, only our own notation."""
        text = public.select(canonicalize_column(public[name]) for name in qi)
        class_of_row = equivalence_class_codes(text, list(qi))
        _, first = np.unique(class_of_row, return_index=True)
        cells = {
            name: [
                _parse_class_cell(cell, (readers or {}).get(name))
                for cell in text[name].gather(first)
            ]
            for name in qi
        }
        return cls(class_of_row, np.bincount(class_of_row), cells)

    def general(self) -> dict[str, np.ndarray]:
        """For every column, which classes have a generalized cell."""
        return {
            name: np.array([cell.shape is not CellShape.PLAIN for cell in cells])
            for name, cells in self.cells.items()
        }

    def known(self) -> dict[str, np.ndarray]:
        """For every column, in which classes its values are known all the same."""
        return {
            name: np.array(
                [_reveals_all_values(c, n) for c, n in zip(cells, self.sizes, strict=True)]
            )
            for name, cells in self.cells.items()
        }

    def exact(self) -> np.ndarray:
        """The classes whose records are known: one generalized column, and its values are."""
        general, known = self.general(), self.known()
        number = np.sum(list(general.values()), axis=0)
        known_columns = np.sum([general[name] & known[name] for name in general], axis=0)
        return np.asarray((number == 1) & (known_columns == 1))


def attained_values(cell: Cell) -> list[str | float | None]:
    """The values that a class of as many rows has, if every end and member is attained."""
    if cell.shape is CellShape.SET:
        return list(cell.members)
    return [cell.low, cell.high, *cell.members]


def _parse_class_cell(text: str | None, reader: ColumnReader | None) -> Cell:
    if reader is not None:
        return reader.read(text)
    return Cell(CellShape.PLAIN, text) if text is None else parse_cell(text)


def _reveals_all_values(cell: Cell, rows: int) -> bool:
    if cell.shape is CellShape.SET:
        return len(cell.members) == rows
    has_finite_ends = cell.shape is CellShape.INTERVAL and bool(np.isfinite(cell.low))
    return has_finite_ends and rows == 2 + len(cell.members)
