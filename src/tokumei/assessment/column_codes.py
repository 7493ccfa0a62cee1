"""Encodes one column of an original and its release as ranks: values, and the ranges cells cover.

The ranks of a column number its different values: missing first, numbers and dates in ascending
order, then texts. A cell covers a range of ranks (`low` to `high`); where it covers scattered ones,
a row of `scattered` says which. What a cell stands for is decided by `tables/data/cell_reader.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.generalized_cells import Cell, CellShape, canonicalize_column, cell_bounds
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class ColumnCodes:
    """One column: the rank of every original value, the cell of every released row.

    `numbers` are the ranks' numbers (NaN: missing or text). `cells` are the different cells as
    they are read; `cell_code` numbers them by released row.
    """

    name: str
    numbers: np.ndarray
    texts: list[str | None]
    value_rank: np.ndarray
    cell_code: np.ndarray
    cells: list[Cell]
    low: np.ndarray
    high: np.ndarray
    scattered: np.ndarray
    scattered_row: np.ndarray
    """By cell: its row in `scattered`, −1 for a range."""
    is_number: bool
    read_otherwise: bool
    """Whether some cell may stand for anything but itself."""
    is_date: bool = False
    """Whether the numbers are days."""

    @classmethod
    def of(
        cls, original: pl.Series, released: pl.Series, hierarchy: Hierarchy | None
    ) -> ColumnCodes:
        """Read a column of both sides."""
        reader = ColumnReader.of(original, released, hierarchy)
        if reader.plain:
            return _encode_numbers(original, released)
        return _encode_cells(reader, original, released)

    @cached_property
    def domain(self) -> np.ndarray:
        """The ranks that occur in the original, ascending."""
        return np.unique(self.value_rank)

    @cached_property
    def unread(self) -> np.ndarray:
        """By cell: whether nothing explains it."""
        return np.array([cell.shape is CellShape.UNREAD for cell in self.cells], dtype=bool)

    @cached_property
    def is_plain(self) -> np.ndarray:
        """By cell: whether it stands for itself."""
        return np.array([cell.shape is CellShape.PLAIN for cell in self.cells], dtype=bool)

    @cached_property
    def untold(self) -> np.ndarray:
        """By cell: whether it tells no value: suppressed, not explained, or of no value known."""
        silent = (CellShape.SUPPRESSED, CellShape.UNREAD)
        return np.array([cell.shape in silent for cell in self.cells]) | (self.low > self.high)

    @property
    def unread_rows(self) -> int:
        """How many released cells nothing explains."""
        return int(self.unread[self.cell_code].sum()) if self.unread.any() else 0

    @cached_property
    def is_moved(self) -> bool:
        """Whether numbers were changed: some number is more frequent than in the original."""
        if not self.is_number or self.read_otherwise:
            return False
        size = len(self.numbers)
        before = np.bincount(self.value_rank, minlength=size)
        after = np.bincount(self.low[self.cell_code], minlength=size)
        return bool((after > before).any())

    @cached_property
    def is_constant(self) -> bool:
        """Whether all released rows have the same cell."""
        return len(self.cell_code) == 0 or bool((self.cell_code == self.cell_code[0]).all())

    @cached_property
    def counted(self) -> np.ndarray:
        """By scattered cell: how many of its ranks lie below each rank (one column more)."""
        zeros = np.zeros((len(self.scattered), 1), dtype=np.int32)
        return np.hstack([zeros, np.cumsum(self.scattered, axis=1, dtype=np.int32)])

    def covers(self, cell: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Whether each cell covers some rank of the range from `low` to `high` beside it."""
        overlaps = (self.low[cell] <= high) & (low <= self.high[cell])
        if len(self.scattered):
            row = self.scattered_row[cell]
            checked = np.flatnonzero(overlaps & (row >= 0))
            if bool((low == high).all()):
                overlaps[checked] = self.scattered[row[checked], low[checked]]
            else:
                overlaps[checked] = (
                    self.counted[row[checked], high[checked] + 1]
                    > self.counted[row[checked], low[checked]]
                )
        return np.asarray(overlaps)


def _encode_numbers(original: pl.Series, released: pl.Series) -> ColumnCodes:
    """A column of numbers or dates on both sides: cells stand for themselves."""
    before, after = cell_bounds(original)[0], cell_bounds(released)[0]
    values = np.unique(np.concatenate([before, after]))
    values = values[~np.isnan(values)]
    numbers = np.concatenate([[np.nan], values])
    before_rank, after_rank = (
        np.where(np.isnan(side), 0, 1 + np.searchsorted(values, side)) for side in (before, after)
    )
    cell_ranks, cell_code = np.unique(after_rank, return_inverse=True)
    cells = [Cell(CellShape.PLAIN, None, x, x) for x in numbers[cell_ranks].tolist()]
    return ColumnCodes(
        original.name,
        numbers,
        [],
        before_rank.astype(np.int64),
        cell_code,
        cells,
        cell_ranks,
        cell_ranks,
        np.zeros((0, len(numbers)), dtype=bool),
        np.full(len(cells), -1),
        is_number=original.dtype.is_numeric(),
        read_otherwise=False,
        is_date=original.dtype == pl.Date,
    )


def _encode_cells(reader: ColumnReader, original: pl.Series, released: pl.Series) -> ColumnCodes:
    """Any column, by the texts of its cells."""
    before, after = canonicalize_column(original), canonicalize_column(released)
    distinct = after.unique(maintain_order=True)
    cells = [reader.read(text) for text in distinct.to_list()]
    values = reader.values.to_list()
    strange = [
        str(cell.text)
        for cell in cells
        if cell.shape is CellShape.PLAIN
        and cell.text is not None
        and cell.text not in reader.places
    ]
    texts = [None, *(text for text in values if text is not None), *strange]
    numbers = np.array([np.nan if t is None else parse_number_or_day(t) for t in texts])
    # Missing first, then numbers, then texts, each in ascending order.
    kind = np.where(np.isnan(numbers), 2, 1)
    kind[0] = 0
    order = np.lexsort((np.arange(len(texts)), np.nan_to_num(numbers), kind))
    texts, numbers = [texts[i] for i in order], numbers[order]
    rank = {text: place for place, text in enumerate(texts)}
    known = pl.DataFrame(
        {"text": texts, "rank": np.arange(len(texts))}, schema_overrides={"text": pl.String}
    )
    value_rank = (
        before.alias("text")
        .to_frame()
        .join(known, on="text", how="left", nulls_equal=True, maintain_order="left")["rank"]
        .to_numpy()
    )
    places = pl.DataFrame(
        {"text": distinct, "cell": np.arange(len(distinct))}, schema_overrides={"text": pl.String}
    )
    cell_code = (
        after.alias("text")
        .to_frame()
        .join(places, on="text", how="left", nulls_equal=True, maintain_order="left")["cell"]
        .to_numpy()
    )
    return ColumnCodes(
        original.name,
        numbers,
        texts,
        value_rank,
        cell_code,
        cells,
        *_cover(cells, rank, numbers),
        is_number=original.dtype.is_numeric() and released.dtype.is_numeric(),
        is_date=original.dtype == pl.Date or reader.holds_dates,
        read_otherwise=any(cell.shape is not CellShape.PLAIN for cell in cells),
    )


def _cover(
    cells: list[Cell], rank: dict[str | None, int], numbers: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The ranges of all cells, and which ranks the scattered ones cover."""
    size, places = len(numbers), np.flatnonzero(~np.isnan(numbers))
    first = int(places[0]) if len(places) else 0
    ordered = numbers[places]
    low, high = np.ones(len(cells), dtype=np.int64), np.zeros(len(cells), dtype=np.int64)
    row, scattered = np.full(len(cells), -1), list[np.ndarray]()
    for position, cell in enumerate(cells):
        if cell.shape in (CellShape.SUPPRESSED, CellShape.UNREAD):
            low[position], high[position] = 0, size - 1
            continue
        named = sorted({rank[text] for text in (cell.text, *cell.members) if text in rank})
        if cell.shape is CellShape.INTERVAL:
            start = first + int(np.searchsorted(ordered, cell.low))
            end = first + int(np.searchsorted(ordered, cell.high, side="right"))
            if not named:
                low[position], high[position] = (start, end - 1) if start < end else (1, 0)
                continue
            ranks = np.union1d(named, np.arange(start, end)).astype(np.int64)
        else:
            ranks = np.array(named, dtype=np.int64)
        if not len(ranks):
            continue
        low[position], high[position] = ranks[0], ranks[-1]
        if len(ranks) < ranks[-1] - ranks[0] + 1:
            row[position] = len(scattered)
            inside = np.zeros(size, dtype=bool)
            inside[ranks] = True
            scattered.append(inside)
    table = np.array(scattered, dtype=bool).reshape(len(scattered), size)
    return low, high, table, row
