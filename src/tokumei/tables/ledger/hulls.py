"""Cells that tell more than they say, to somebody who knows that classes are as tight as they can.

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

from tokumei.core.cells import Cell, Shape, canonical, class_codes, parse_cell
from tokumei.tables.data.cell_reader import ColumnReader


@dataclass(frozen=True, eq=False)
class Hulls:
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
    ) -> Hulls:
        """As `readers` understand them; without readers, only our own notation."""
        text = public.select(canonical(public[name]) for name in qi)
        of = class_codes(text, list(qi))
        _, first = np.unique(of, return_index=True)
        cells = {
            name: [_cell(cell, (readers or {}).get(name)) for cell in text[name].gather(first)]
            for name in qi
        }
        return cls(of, np.bincount(of), cells)

    def general(self) -> dict[str, np.ndarray]:
        """For every column, which classes have a generalized cell."""
        return {
            name: np.array([cell.shape is not Shape.PLAIN for cell in cells])
            for name, cells in self.cells.items()
        }

    def known(self) -> dict[str, np.ndarray]:
        """For every column, in which classes its values are known all the same."""
        return {
            name: np.array([_told(c, n) for c, n in zip(cells, self.sizes, strict=True)])
            for name, cells in self.cells.items()
        }

    def exact(self) -> np.ndarray:
        """The classes whose records are known: one generalized column, and its values are."""
        general, known = self.general(), self.known()
        number = np.sum(list(general.values()), axis=0)
        told = np.sum([general[name] & known[name] for name in general], axis=0)
        return np.asarray((number == 1) & (told == 1))


def values_of(cell: Cell) -> list[str | float | None]:
    """The values that a class of as many rows has, if every end and member is attained."""
    if cell.shape is Shape.SET:
        return list(cell.members)
    return [cell.low, cell.high, *cell.members]


def _cell(text: str | None, reader: ColumnReader | None) -> Cell:
    if reader is not None:
        return reader.read(text)
    return Cell(Shape.PLAIN, text) if text is None else parse_cell(text)


def _told(cell: Cell, rows: int) -> bool:
    if cell.shape is Shape.SET:
        return len(cell.members) == rows
    ends = cell.shape is Shape.INTERVAL and bool(np.isfinite(cell.low))
    return ends and rows == 2 + len(cell.members)
