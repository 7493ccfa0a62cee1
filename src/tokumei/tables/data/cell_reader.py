"""What the cells of a released column may stand for: the one reader of attacks and measures.

    reader = ColumnReader.of(original["age"], released["age"], hierarchies.get("age"))
    cells = reader.cells(released["age"])           # by text; an error names what nothing explains
    reader.covered(cells["20-39"])                  # a flag for each of reader.values

The original's values and the hierarchy decide what a text is: `10-20` is a value where the original
has it, a range in a column of numbers, and nothing that can be read in another. In this order: `*`,
a label of the hierarchy, a value of the original, a range or set in any notation, a mask (`130**`),
the first digits of codes that are all equally long (`015` of `0150001`), a number in any spelling
(rounded, or a code at an end, if no other reading of the column is possible). What says that
nothing is known (`?`, `NA`, empty) and is more frequent than in the original was suppressed. The
rest is UNREAD: it is never taken for a value that differs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.core.cells import GAPS, Cell, Shape, beside_gap, canonical, parse_cell, plain_text
from tokumei.core.cells import with_gap as or_missing
from tokumei.core.notations import ends_of, ends_of_days, mask_patterns, number, set_members
from tokumei.tables.data.rounding import NumberCode, Rounding, code_of, rounding_of
from tokumei.tables.data.suppressed import are_cut, are_typed, suppressed_marks
from tokumei.tables.data.unread import unread_error

if TYPE_CHECKING:
    from tokumei.tables.hierarchies.hierarchy import Hierarchy

Hierarchies = Mapping[str, "Hierarchy"]


@dataclass(frozen=True, eq=False)
class ColumnReader:
    """The values of an original column, looked at when needed, and what else explains cells."""

    name: str
    find: Callable[[], pl.Series]
    hierarchy: Hierarchy | None = None
    rounding: Rounding | None = None
    code: NumberCode | None = None
    nothing: frozenset[str | None] = frozenset()
    """Cells that say nothing: missing ones and marks for them, if the original has fewer."""
    only: str | None = None
    """The cell that all rows have, which says nothing if it can be read in no other way."""
    cut: bool = False
    """Whether all numbers are shorter than the original's, which are equally long."""
    plain: bool = False
    """Whether both columns hold numbers or dates, so that no cell needs to be looked at."""
    _read: dict[str | None, Cell] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        original: pl.Series,
        released: pl.Series,
        hierarchy: Hierarchy | None = None,
        *,
        counted: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> ColumnReader:
        """The reader of a released column; `counted`: how many rows each cell stands for."""

        def values() -> pl.Series:
            return canonical(original.unique()).unique().sort(nulls_last=False)

        sides = tuple(zip((original, released), counted or (None, None), strict=True))
        before, after = (len(one) if rows is None else int(rows.sum()) for one, rows in sides)
        labels = {label for names in (hierarchy.names if hierarchy else ()) for label in names}
        nothing = suppressed_marks(*sides) - labels
        only = None
        if not nothing and after == before > 1 and released.n_unique() == 1:
            only = canonical(released.head(1))[0]
        given = cls(original.name, values, hierarchy, nothing=nothing, only=only)
        if counted is not None or hierarchy is not None:
            return given
        cut = are_cut(original, released)
        rounding = None if cut else rounding_of(original, released)
        code = None if cut or rounding else code_of(original, released)
        plain = not (rounding or code or nothing or only or cut) and are_typed(original, released)
        return replace(given, rounding=rounding, code=code, cut=cut, plain=plain)

    def reads(self, released: pl.Series, *, strict: bool = True) -> bool:
        """Whether cells may stand for anything but themselves."""
        if self.plain:
            return False
        cells = self.cells(released, strict=strict).values()
        return any(cell.shape is not Shape.PLAIN for cell in cells)

    def explains(self, released: pl.Series) -> bool:
        """Whether all cells can be read."""
        found = self.cells(released, strict=False).values()
        return all(cell.shape is not Shape.UNREAD for cell in found)

    def cells(self, released: pl.Series, *, strict: bool = True) -> dict[str | None, Cell]:
        """Every distinct cell of a column, by its canonical text; all must be read if `strict`."""
        found = {text: self.read(text) for text in canonical(released.unique()).unique()}
        unread = [text for text, cell in found.items() if cell.shape is Shape.UNREAD]
        if strict and unread:
            raise unread_error(self.name, canonical(released), unread)
        return found

    def read(self, text: str | None) -> Cell:
        """The meaning of a cell, given by its canonical text."""
        if text not in self._read:
            self._read[text] = self._meaning(text)
        return self._read[text]

    def covered(self, cell: Cell) -> np.ndarray:
        """Which of the values may be behind the cell."""
        if cell.shape in (Shape.SUPPRESSED, Shape.UNREAD):
            return np.ones(len(self.values), dtype=bool)
        inside = np.zeros(len(self.values), dtype=bool)
        if cell.shape is Shape.INTERVAL:
            inside = (cell.low <= self.numbers) & (self.numbers <= cell.high)
        for text in (cell.text, *cell.members):
            if text in self.places:
                inside[self.places[text]] = True
        return inside

    def size(self, cell: Cell) -> int:
        """How many values may be behind the cell, those of a set that nobody has included."""
        return len(cell.members) if cell.shape is Shape.SET else int(self.covered(cell).sum())

    @cached_property
    def values(self) -> pl.Series:
        """The different values as canonical text; of a column sorted, missing first."""
        return self.find()

    @cached_property
    def places(self) -> dict[str | None, int]:
        """The place of every value."""
        return {value: place for place, value in enumerate(self.values.to_list())}

    @cached_property
    def numbers(self) -> np.ndarray:
        """The values as numbers or days; NaN for the others."""
        return np.array([math.nan if v is None else number(v) for v in self.places])

    @cached_property
    def ordered(self) -> bool:
        """Whether all values are numbers or dates."""
        known = self.numbers[self.values.is_not_null().to_numpy()]
        return not np.isnan(known).any()

    @cached_property
    def _whole(self) -> bool:
        known = self.numbers[~np.isnan(self.numbers)]
        timed = any(value is not None and "T" in value for value in self.places)
        return bool((known == np.round(known)).all()) and not timed

    @cached_property
    def _dated(self) -> bool:
        first = next((value for value in self.places if value is not None), "")
        return self.ordered and "-" in first[1:]

    @cached_property
    def _digits(self) -> int:
        """How long the values are if they are codes: digits, equally many; 0 if they are not."""
        known = self.values.drop_nulls()
        codes = known.str.contains(r"^\d+$").all()
        codes = codes and (self.cut or known.str.starts_with("0").any())
        lengths = known.str.len_chars().unique()
        return int(lengths[0]) if codes and len(lengths) == 1 else 0

    @cached_property
    def _labels(self) -> dict[str, list[tuple[int, int]]]:
        """The nodes of the hierarchy by their label, which may stand on several levels."""
        found: dict[str, list[tuple[int, int]]] = {}
        for level, names in enumerate(self.hierarchy.names if self.hierarchy else ()):
            for node, label in enumerate(canonical(names)):
                found.setdefault(label, []).append((level, node))
        return found

    @cached_property
    def _leaves(self) -> np.ndarray:
        """The leaf of every value."""
        assert self.hierarchy is not None
        return self.hierarchy.leaf_codes(self.values.alias(self.name))

    def _meaning(self, text: str | None) -> Cell:
        if text in self.nothing:
            return _nothing(text)
        if text is None:
            return Cell(Shape.PLAIN, text)
        native = parse_cell(text)
        if native.shape is Shape.SUPPRESSED:
            return native
        if text in self._labels:
            return self._of_label(text)
        if text in self.places and native.shape is Shape.PLAIN:
            return self._number(native)
        if not text.strip("*＊ "):
            return _nothing(text)
        if (known := beside_gap(text)) is not None:
            # A value may be written like a gap.
            return or_missing(text, self.read(known), GAPS & self.places.keys())
        found = self._of_range(text, native) or self._of_set(text, native) or self._of_mask(text)
        found = found or self._of_first_digits(text)
        if found is not None:
            return found
        if self.ordered and native.shape is Shape.PLAIN and not math.isnan(native.low):
            return self._number(native)
        return _nothing(text, Shape.SUPPRESSED if text == self.only else Shape.UNREAD)

    def _of_label(self, text: str) -> Cell:
        """All that a label may stand for, on whichever level."""
        assert self.hierarchy is not None
        up = self.hierarchy.up
        inside = np.zeros(len(self.values), dtype=bool)
        for level, node in self._labels[text]:
            inside |= up[level, self._leaves] == node
        if inside.sum() == 1 and self.places.get(text) == int(inside.argmax()):
            return parse_cell(text)
        if not inside.any() and all(level == 0 for level, _ in self._labels[text]):
            return parse_cell(text)  # A value that nobody has: noise may give it.
        return self._set(text, self.values.filter(pl.Series(inside)).to_list())

    def _of_set(self, text: str, native: Cell) -> Cell | None:
        if self.hierarchy is None and native.members and native.members <= self.places.keys():
            return native
        members = set_members(text, self._knows)
        if members and self.hierarchy is None:
            return self._set(text, [plain_text(member) for member in members])
        if members:
            nodes = [self.read(plain_text(member)) for member in members]
            inside = np.logical_or.reduce([self.covered(node) for node in nodes])
            return self._set(text, self.values.filter(pl.Series(inside)).to_list())
        # In our own notation a member may be a value that nobody has, but not all of them.
        return native if any(map(self._knows, filter(None, native.members))) else None

    def _knows(self, member: str) -> bool:
        """Whether a member of a set is a value or a label, or a number where all values are."""
        text = plain_text(member)
        counts = self.ordered and not math.isnan(number(text))
        return counts or text in self.places or text in self._labels

    def _of_range(self, text: str, native: Cell) -> Cell | None:
        """A range of numbers or days; in a column of neither only one in our own notation."""
        if not self.ordered:
            return native if native.shape is Shape.INTERVAL else None
        ends = (ends_of_days(text) if self._dated else None) or ends_of(text)
        if ends is None:
            return None
        low, high = ends
        if self._whole:
            low = low if math.isinf(low) else math.ceil(low)
            high = high if math.isinf(high) else math.floor(high)
        return Cell(Shape.INTERVAL, text, low, high) if low <= high else None

    def _of_mask(self, text: str) -> Cell | None:
        for pattern in mask_patterns(text):
            inside = self.values.filter(self.values.str.contains(pattern))
            if len(inside):
                return self._set(text, inside.to_list())
        return None

    def _of_first_digits(self, text: str) -> Cell | None:
        if not text.isdecimal() or len(text) >= self._digits:
            return None
        inside = self.values.filter(self.values.str.starts_with(text))
        return self._set(text, inside.to_list()) if len(inside) else None

    def _number(self, cell: Cell) -> Cell:
        """A number: those that round to it, those a code stands for, or itself however spelled."""
        if self.rounding is not None and not math.isnan(cell.low):
            low, high = self.rounding.ends(cell.low)
            return replace(cell, shape=Shape.INTERVAL, low=low, high=high)
        if self.code is not None and cell.low == self.code.value:
            if self.code.ends is None:
                return _nothing(cell.text, Shape.UNREAD)
            return Cell(Shape.INTERVAL, cell.text, *self.code.ends)
        if cell.text in self.places:
            return cell
        equal = self.values.filter(pl.Series(self.numbers == cell.low))
        return self._set(cell.text or "", equal.to_list()) if len(equal) else cell

    def _set(self, text: str, members: list[str | None]) -> Cell:
        values = [number(member) for member in members if member is not None]
        ends = (min(values), max(values)) if values and self.ordered else (math.nan, math.nan)
        return Cell(Shape.SET, text, *ends, frozenset(members))


def _nothing(text: str | None, shape: Shape = Shape.SUPPRESSED) -> Cell:
    return Cell(shape, text, -math.inf, math.inf)
