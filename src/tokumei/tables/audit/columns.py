"""A column as an attacker reads it: what released cells stand for, and what people have.

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

from tokumei.core.cells import Cell, Shape, bounds, canonical, codes_in
from tokumei.core.errors import Fault, InputError
from tokumei.core.notations import number
from tokumei.core.text import Text
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.unread import unread_error
from tokumei.tables.hierarchies.hierarchy import Hierarchy

BY_CHANCE = 3.0
"""Standard deviations that are taken for chance."""


@dataclass(frozen=True, eq=False)
class Column:
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
        return np.asarray(self._having(Shape.SUPPRESSED)[self.released])

    def single(self) -> Column | None:
        """The column as one of single values, if it can be read so.

        A cell that says nothing is like nobody's value; a rounded number is the number it shows.
        """
        if self.reader is None:
            return self
        silent, plain = self._having(Shape.SUPPRESSED), self._having(Shape.PLAIN)
        shown = np.array([self._shown(cell) for cell in self.cells])
        if silent[self.released].all() or not (silent | plain | ~np.isnan(shown)).all():
            return None
        if self.numeric:
            return _numbered(self.name, shown[self.released], self.value_numbers[self.known])
        places = np.where(silent, self.values, self.plain)
        return _worded(self.name, places[self.released], self.known, self.values + 1)

    def _having(self, shape: Shape) -> np.ndarray:
        return np.array([cell.shape is shape for cell in self.cells])

    def _shown(self, cell: Cell) -> float:
        """The number that a cell shows, if it shows one."""
        if cell.shape is Shape.PLAIN:
            return cell.low
        read = self.reader
        rounded = read is not None and (read.rounding is not None or read.code is not None)
        return number(cell.text or "") if rounded else math.nan

    @property
    def missing(self) -> bool:
        """Whether a number is missing somewhere, on either side."""
        lost = np.isnan(self.value_numbers[self.known]).any()
        plain = self.plain[self.released] >= 0
        return bool(lost or np.isnan(self.cell_numbers[self.released][plain]).any())


def read_columns(
    names: Sequence[str],
    release: pl.DataFrame,
    members: pl.DataFrame,
    people: pl.DataFrame,
    hierarchies: Mapping[str, Hierarchy],
    where: str = "release",
) -> list[Column]:
    """The columns of a release beside those of the people who are known.

    `members` made the release: cells are read beside theirs. One error names the release (`where`)
    and all columns with cells that nothing explains.
    """
    found, faults = [], list[Fault]()
    for name in names:
        try:
            found.append(
                read_column(release[name], members[name], people[name], hierarchies.get(name))
            )
        except InputError as err:
            if not err.faults:
                raise
            faults += err.faults
    if faults:
        raise InputError(
            f"{where}: cells that cannot be read",
            f"{where}: 読み取れないセルがあります",
            faults=faults,
        )
    return found


def read_column(
    released: pl.Series, members: pl.Series, people: pl.Series, hierarchy: Hierarchy | None
) -> Column:
    """A column, exact if every cell is a value."""
    if released.dtype.is_integer() and people.dtype in (pl.Date, pl.Datetime):
        released = released.cast(pl.String)  # A year stands for its days; it is no day itself.
    reader = ColumnReader.of(members, released, hierarchy)
    values = pl.concat([canonical(one.unique()) for one in (members, people)]).unique()
    values = values.sort(nulls_last=False)
    nothing = frozenset(m for m in reader.nothing if not _by_chance(m, members, released))
    reader = replace(reader, find=lambda: values, nothing=nothing)
    if reader.plain or not _reads(reader, released):
        return _exact(released, people)
    texts = canonical(released)
    # In an order that says nothing and is always the same: what is drawn depends on it.
    read = reader.cells(released).items()
    cells = dict(sorted(read, key=lambda item: (item[0] is None, item[0] or "")))
    spelled = pl.Series(list(cells), dtype=pl.String)
    shown = tuple(cells.values())
    plain = np.array([reader.places.get(one.text, -1) for one in shown])
    plain[[one.shape is not Shape.PLAIN for one in shown]] = -1
    numeric = _is_number(people)
    lows = np.array([one.low if one.shape is Shape.PLAIN else np.nan for one in shown])
    return Column(
        released.name,
        _places(texts, spelled),
        _places(canonical(people), values),
        len(values),
        plain,
        numeric,
        reader.numbers if numeric else np.full(len(values), np.nan),
        lows,
        shown,
        reader,
    )


def _by_chance(mark: str | None, members: pl.Series, released: pl.Series) -> bool:
    """Whether a release may have as many gaps (or marks for them) because members have some.

    Synthetic rows are no one's, and have a few more or fewer; only far more are hidden cells.
    """
    before, after = (
        int((one.is_null() if mark is None else one.cast(pl.String) == mark).sum())
        for one in (members, released)
    )
    n, share = len(released), before / len(members)
    spread = math.sqrt(n * share * (1 - share) * (1 + n / len(members)))
    return after <= n * share + BY_CHANCE * spread


def _reads(reader: ColumnReader, released: pl.Series) -> bool:
    """Whether cells stand for more than themselves; an error tells what nothing explains."""
    cells = reader.cells(released, strict=False)
    turned = [text for text in cells if text is not None and reader.ordered and _turned(text)]
    unread = [text for text, cell in cells.items() if text and cell.shape is Shape.UNREAD]
    if turned or unread:
        texts = canonical(released)
        line = int(texts.is_in(turned or unread).fill_null(False).arg_max() or 0) + 2
        if not turned:
            raise unread_error(reader.name, texts, unread, line)
        message = Text(
            f"line {line}, column '{reader.name}': an interval begins above its end",
            f"{line} 行目、列 '{reader.name}': 区間の始まりが終わりより大きくなっています",
        )
        fault = Fault(rule="turned-interval", line=line, column=reader.name, message=message)
        raise InputError(message, faults=[fault])
    return any(cell.shape is not Shape.PLAIN for cell in cells.values())


def _turned(text: str) -> bool:
    """Whether a cell is an interval whose first end is above its last."""
    ends = text[1:-1].split(";")
    brackets = text[:1] in "[(" and text[-1:] in "])" and len(ends) == 2
    return brackets and number(ends[0]) > number(ends[1])


def _exact(released: pl.Series, people: pl.Series) -> Column:
    """Cells and values by the same places."""
    if _is_number(people):
        return _numbered(released.name, bounds(released)[0], bounds(people)[0])
    texts = pl.concat([canonical(released), canonical(people)])
    words = texts.unique().sort(nulls_last=False)
    places, n = _places(texts, words), len(released)
    return _worded(released.name, places[:n], places[n:], len(words))


def _worded(name: str, released: np.ndarray, known: np.ndarray, values: int) -> Column:
    """A column of so many texts."""
    none = np.full(values, np.nan)
    return Column(name, released, known, values, np.arange(values), False, none, none)


def _numbered(name: str, released: np.ndarray, known: np.ndarray) -> Column:
    """A column of numbers, NaN where there is none."""
    both = np.concatenate([released, known])
    values, found = np.unique(both, return_inverse=True, equal_nan=True)
    places, n, plain = found.astype(np.int32), len(released), np.arange(len(values))
    return Column(name, places[:n], places[n:], len(values), plain, True, values, values)


def _is_number(series: pl.Series) -> bool:
    return series.dtype.is_numeric() or series.dtype in (pl.Date, pl.Datetime)


def _places(texts: pl.Series, names: pl.Series) -> np.ndarray:
    """The place of every text in sorted names; a missing one is compared like any other."""
    sign = "\x00"
    found = codes_in(texts.fill_null(sign), names.fill_null(sign))
    return found.astype(np.int32)
