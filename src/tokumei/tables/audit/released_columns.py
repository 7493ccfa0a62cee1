"""A column as an attacker reads it: meanings of released cells, and people's values.

Every distinct value of the people has a place, every distinct cell of the release another. In an
exact column both are the same places: a cell stands for its own value. What the cells of other
columns stand for is told by the one reader of cells (`data/cell_reader.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.errors import InputError, Violation
from tokumei.core.generalized_cells import (
    Cell,
    CellShape,
    canonicalize_column,
    cell_bounds,
    positions_in,
)
from tokumei.core.messages import Message
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.unreadable_cells import unreadable_cells_error
from tokumei.tables.hierarchies.hierarchy import Hierarchy

CHANCE_DEVIATIONS = 3.0
"""Standard deviations that are taken for chance."""


@dataclass(frozen=True, eq=False)
class ReleasedColumn:
    """One column of a release and of the people who are known.

    `released` and `known` are places of cells and of values. `plain` is the place of the value that
    a cell is, −1 if it stands for several. The numbers are NaN where there is none.
    """

    name: str
    released: np.ndarray
    known: np.ndarray
    values: int
    plain: np.ndarray
    numeric: bool
    value_numbers: np.ndarray
    cell_numbers: np.ndarray
    cells: tuple[Cell, ...] = ()
    reader: ColumnReader | None = None

    @property
    def general(self) -> bool:
        """Whether a cell may stand for more than itself."""
        return self.reader is not None

    def covers(self, cells: np.ndarray) -> np.ndarray:
        """For each of some cells (by place) which values may be behind it."""
        if self.reader is None:
            return np.asarray(cells[:, None] == np.arange(self.values))
        if not len(cells):
            return np.zeros((0, self.values), dtype=bool)
        return np.stack([self.reader.covered(self.cells[cell]) for cell in cells])

    @property
    def suppressed(self) -> np.ndarray:
        """Which released cells say nothing."""
        if self.reader is None:
            return np.zeros(len(self.released), dtype=bool)
        return np.asarray(self._has_shape(CellShape.SUPPRESSED)[self.released])

    def single(self) -> ReleasedColumn | None:
        """The column as one of single values, if it can be read so.

        A cell that says nothing is like nobody's value; a rounded number is the number it shows.
        """
        if self.reader is None:
            return self
        is_suppressed, is_plain = (
            self._has_shape(CellShape.SUPPRESSED),
            self._has_shape(CellShape.PLAIN),
        )
        shown_numbers = np.array([self._shown_number(cell) for cell in self.cells])
        if (
            is_suppressed[self.released].all()
            or not (is_suppressed | is_plain | ~np.isnan(shown_numbers)).all()
        ):
            return None
        if self.numeric:
            return _number_column(
                self.name, shown_numbers[self.released], self.value_numbers[self.known]
            )
        places = np.where(is_suppressed, self.values, self.plain)
        return _text_column(self.name, places[self.released], self.known, self.values + 1)

    def _has_shape(self, shape: CellShape) -> np.ndarray:
        return np.array([cell.shape is shape for cell in self.cells])

    def _shown_number(self, cell: Cell) -> float:
        """The number that a cell shows, if it shows one."""
        if cell.shape is CellShape.PLAIN:
            return cell.low
        reader = self.reader
        is_rounded = reader is not None and (reader.rounding is not None or reader.code is not None)
        return parse_number_or_day(cell.text or "") if is_rounded else math.nan

    @property
    def missing(self) -> bool:
        """Whether a number is missing somewhere, on either side."""
        lacks_number = np.isnan(self.value_numbers[self.known]).any()
        is_plain = self.plain[self.released] >= 0
        return bool(lacks_number or np.isnan(self.cell_numbers[self.released][is_plain]).any())


def read_released_columns(
    names: Sequence[str],
    release: pl.DataFrame,
    members: pl.DataFrame,
    people: pl.DataFrame,
    hierarchies: Mapping[str, Hierarchy],
    where: str = "release",
) -> list[ReleasedColumn]:
    """The columns of a release beside those of the people who are known.

    `members` made the release: cells are read beside theirs. One error names the release (`where`)
    and all columns with cells that nothing explains.
    """
    columns, violations = [], list[Violation]()
    for name in names:
        try:
            columns.append(
                read_released_column(
                    release[name], members[name], people[name], hierarchies.get(name)
                )
            )
        except InputError as err:
            if not err.faults:
                raise
            violations += err.faults
    if violations:
        raise InputError("{where}: cells that cannot be read", faults=violations, where=where)
    return columns


def read_released_column(
    released: pl.Series, members: pl.Series, people: pl.Series, hierarchy: Hierarchy | None
) -> ReleasedColumn:
    """A column, exact if every cell is a value."""
    if released.dtype.is_integer() and people.dtype in (pl.Date, pl.Datetime):
        released = released.cast(pl.String)  # A year stands for its days; it is no day itself.
    reader = ColumnReader.of(members, released, hierarchy)
    values = pl.concat(
        [canonicalize_column(entry.unique()) for entry in (members, people)]
    ).unique()
    values = values.sort(nulls_last=False)
    gap_markers = frozenset(
        marker for marker in reader.nothing if not _explained_by_chance(marker, members, released)
    )
    reader = replace(reader, find=lambda: values, nothing=gap_markers)
    if reader.plain or not _has_general_cells(reader, released):
        return _exact_column(released, people)
    texts = canonicalize_column(released)
    # In an order that says nothing and is always the same: what is drawn depends on it.
    read_cells = reader.read_cells(released).items()
    cells = dict(sorted(read_cells, key=lambda item: (item[0] is None, item[0] or "")))
    spelled = pl.Series(list(cells), dtype=pl.String)
    cell_values = tuple(cells.values())
    plain_positions = np.array([reader.places.get(entry.text, -1) for entry in cell_values])
    plain_positions[[entry.shape is not CellShape.PLAIN for entry in cell_values]] = -1
    numeric = _is_numeric(people)
    lows = np.array(
        [entry.low if entry.shape is CellShape.PLAIN else np.nan for entry in cell_values]
    )
    return ReleasedColumn(
        released.name,
        _text_positions(texts, spelled),
        _text_positions(canonicalize_column(people), values),
        len(values),
        plain_positions,
        numeric,
        reader.numbers if numeric else np.full(len(values), np.nan),
        lows,
        cell_values,
        reader,
    )


def _explained_by_chance(marker: str | None, members: pl.Series, released: pl.Series) -> bool:
    """Whether a release may have as many gaps (or marks for them) because members have some.

    Synthetic rows are no one's, and have a few more or fewer; only far more are hidden cells.
    """
    member_count, released_count = (
        int((series.is_null() if marker is None else series.cast(pl.String) == marker).sum())
        for series in (members, released)
    )
    n, share = len(released), member_count / len(members)
    spread = math.sqrt(n * share * (1 - share) * (1 + n / len(members)))
    return released_count <= n * share + CHANCE_DEVIATIONS * spread


def _has_general_cells(reader: ColumnReader, released: pl.Series) -> bool:
    """Whether cells stand for more than themselves; an error tells what nothing explains."""
    cells = reader.read_cells(released, strict=False)
    reversed_intervals = [
        text
        for text in cells
        if text is not None and reader.ordered and _is_reversed_interval(text)
    ]
    unread_texts = [text for text, cell in cells.items() if text and cell.shape is CellShape.UNREAD]
    if reversed_intervals or unread_texts:
        texts = canonicalize_column(released)
        line = (
            int(texts.is_in(reversed_intervals or unread_texts).fill_null(False).arg_max() or 0) + 2
        )
        if not reversed_intervals:
            raise unreadable_cells_error(reader.name, texts, unread_texts, line)
        message = Message(
            "line {line}, column '{column}': an interval begins above its end",
            line=line,
            column=reader.name,
        )
        violation = Violation(
            rule="turned-interval", line=line, column=reader.name, message=message
        )
        raise InputError(message, faults=[violation])
    return any(cell.shape is not CellShape.PLAIN for cell in cells.values())


def _is_reversed_interval(text: str) -> bool:
    """Whether a cell is an interval whose first end is above its last."""
    ends = text[1:-1].split(";")
    is_bracketed = text[:1] in "[(" and text[-1:] in "])" and len(ends) == 2
    return is_bracketed and parse_number_or_day(ends[0]) > parse_number_or_day(ends[1])


def _exact_column(released: pl.Series, people: pl.Series) -> ReleasedColumn:
    """Cells and values by the same places."""
    if _is_numeric(people):
        return _number_column(released.name, cell_bounds(released)[0], cell_bounds(people)[0])
    texts = pl.concat([canonicalize_column(released), canonicalize_column(people)])
    words = texts.unique().sort(nulls_last=False)
    positions, n = _text_positions(texts, words), len(released)
    return _text_column(released.name, positions[:n], positions[n:], len(words))


def _text_column(name: str, released: np.ndarray, known: np.ndarray, values: int) -> ReleasedColumn:
    """A column of so many texts."""
    none = np.full(values, np.nan)
    return ReleasedColumn(name, released, known, values, np.arange(values), False, none, none)


def _number_column(name: str, released: np.ndarray, known: np.ndarray) -> ReleasedColumn:
    """A column of numbers, NaN where there is none."""
    all_numbers = np.concatenate([released, known])
    values, inverse = np.unique(all_numbers, return_inverse=True, equal_nan=True)
    positions, n, plain = inverse.astype(np.int32), len(released), np.arange(len(values))
    return ReleasedColumn(
        name, positions[:n], positions[n:], len(values), plain, True, values, values
    )


def _is_numeric(series: pl.Series) -> bool:
    return series.dtype.is_numeric() or series.dtype in (pl.Date, pl.Datetime)


def _text_positions(texts: pl.Series, names: pl.Series) -> np.ndarray:
    """The place of every text in sorted names; a missing one is compared like any other."""
    gap_marker = "\x00"
    positions = positions_in(texts.fill_null(gap_marker), names.fill_null(gap_marker))
    return positions.astype(np.int32)
