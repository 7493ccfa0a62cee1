"""Reads what released cells may stand for, for attacks and measures.

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
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.core.cell_notations import (
    mask_to_regexes,
    parse_interval,
    parse_number_or_day,
    parse_period,
    parse_set_members,
)
from tokumei.core.generalized_cells import (
    MISSING_MARKS,
    Cell,
    CellShape,
    canonicalize_column,
    canonicalize_value,
    parse_cell,
    strip_missing_mark,
)
from tokumei.core.generalized_cells import add_missing_member as or_missing
from tokumei.tables.data.distinct_original_values import OriginalValues
from tokumei.tables.data.rounding import NumberCode, Rounding, detect_number_code, detect_rounding
from tokumei.tables.data.suppression_marks import (
    are_numeric_or_dates,
    are_truncated,
    find_suppression_marks,
)
from tokumei.tables.data.unreadable_cells import unreadable_cells_error

if TYPE_CHECKING:
    from tokumei.tables.hierarchies.hierarchy import Hierarchy

Hierarchies = Mapping[str, "Hierarchy"]


@dataclass(frozen=True, eq=False)
class ColumnReader(OriginalValues):
    """The values of an original column, and what else explains the cells of the released one."""

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
    _parsed_cells: dict[str | None, Cell] = field(default_factory=dict, repr=False)

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
            return canonicalize_column(original.unique()).unique().sort(nulls_last=False)

        sides = tuple(zip((original, released), counted or (None, None), strict=True))
        before, after = (len(series) if rows is None else int(rows.sum()) for series, rows in sides)
        labels = {label for names in (hierarchy.names if hierarchy else ()) for label in names}
        nothing = find_suppression_marks(*sides) - labels
        only = None
        if not nothing and after == before > 1 and released.n_unique() == 1:
            only = canonicalize_column(released.head(1))[0]
        reader = cls(original.name, values, hierarchy, nothing=nothing, only=only)
        if counted is not None or hierarchy is not None:
            return reader
        cut = are_truncated(original, released)
        rounding = None if cut else detect_rounding(original, released)
        code = None if cut or rounding else detect_number_code(original, released)
        plain = not (rounding or code or nothing or only or cut) and are_numeric_or_dates(
            original, released
        )
        return replace(reader, rounding=rounding, code=code, cut=cut, plain=plain)

    def reads(self, released: pl.Series, *, strict: bool = True) -> bool:
        """Whether cells may stand for anything but themselves."""
        if self.plain:
            return False
        cells = self.read_cells(released, strict=strict).values()
        return any(cell.shape is not CellShape.PLAIN for cell in cells)

    def can_read_all(self, released: pl.Series) -> bool:
        """Whether all cells can be read."""
        parsed = self.read_cells(released, strict=False).values()
        return all(cell.shape is not CellShape.UNREAD for cell in parsed)

    def read_cells(self, released: pl.Series, *, strict: bool = True) -> dict[str | None, Cell]:
        """Every distinct cell of a column, by its canonical text; all must be read if `strict`."""
        parsed = {text: self.read(text) for text in canonicalize_column(released.unique()).unique()}
        unread = [text for text, cell in parsed.items() if cell.shape is CellShape.UNREAD]
        if strict and unread:
            raise unreadable_cells_error(self.name, canonicalize_column(released), unread)
        return parsed

    def read(self, text: str | None) -> Cell:
        """The meaning of a cell, given by its canonical text."""
        if text not in self._parsed_cells:
            self._parsed_cells[text] = self._interpret_text(text)
        return self._parsed_cells[text]

    def covered(self, cell: Cell) -> np.ndarray:
        """Which of the values may be behind the cell."""
        if cell.shape in (CellShape.SUPPRESSED, CellShape.UNREAD):
            return np.ones(len(self.values), dtype=bool)
        inside = np.zeros(len(self.values), dtype=bool)
        if cell.shape is CellShape.INTERVAL:
            inside = (cell.low <= self.numbers) & (self.numbers <= cell.high)
        for text in (cell.text, *cell.members):
            if text in self.places:
                inside[self.places[text]] = True
        return inside

    def count_covered(self, cell: Cell) -> int:
        """How many values may be behind the cell, those of a set that nobody has included."""
        return len(cell.members) if cell.shape is CellShape.SET else int(self.covered(cell).sum())

    @cached_property
    def _code_length(self) -> int:
        """How long the values are if they are codes: digits, equally many; 0 if they are not."""
        known = self.values.drop_nulls()
        codes = known.str.contains(r"^\d+$").all()
        codes = codes and (self.cut or known.str.starts_with("0").any())
        lengths = known.str.len_chars().unique()
        return int(lengths[0]) if codes and len(lengths) == 1 else 0

    @cached_property
    def _label_nodes(self) -> dict[str, list[tuple[int, int]]]:
        """The nodes of the hierarchy by their label, which may stand on several levels."""
        nodes_by_label: dict[str, list[tuple[int, int]]] = {}
        for level, names in enumerate(self.hierarchy.names if self.hierarchy else ()):
            for node, label in enumerate(canonicalize_column(names)):
                nodes_by_label.setdefault(label, []).append((level, node))
        return nodes_by_label

    @cached_property
    def _value_leaves(self) -> np.ndarray:
        """The leaf of every value."""
        assert self.hierarchy is not None
        return self.hierarchy.leaf_codes(self.values.alias(self.name))

    def _interpret_text(self, text: str | None) -> Cell:
        if text in self.nothing:
            return _unknown_cell(text)
        if text is None:
            return Cell(CellShape.PLAIN, text)
        native = parse_cell(text)
        if native.shape is CellShape.SUPPRESSED:
            return native
        if text in self._label_nodes:
            return self._parse_label(text)
        if text in self.places and native.shape is CellShape.PLAIN:
            return self._interpret_number(native)
        if not text.strip("*＊ "):
            return _unknown_cell(text)
        if (known_part := strip_missing_mark(text)) is not None:
            # A value may be written like a gap.
            return or_missing(text, self.read(known_part), MISSING_MARKS & self.places.keys())
        parsed = (
            self._parse_range(text, native)
            or self._parse_set(text, native)
            or self._parse_mask(text)
        )
        parsed = parsed or self._parse_prefix(text)
        if parsed is not None:
            return parsed
        if self.ordered and native.shape is CellShape.PLAIN and not math.isnan(native.low):
            return self._interpret_number(native)
        return _unknown_cell(text, CellShape.SUPPRESSED if text == self.only else CellShape.UNREAD)

    def _parse_label(self, text: str) -> Cell:
        """All that a label may stand for, on whichever level."""
        assert self.hierarchy is not None
        up = self.hierarchy.up
        inside = np.zeros(len(self.values), dtype=bool)
        for level, node in self._label_nodes[text]:
            inside |= up[level, self._value_leaves] == node
        if inside.sum() == 1 and self.places.get(text) == int(inside.argmax()):
            return parse_cell(text)
        if not inside.any() and all(level == 0 for level, _ in self._label_nodes[text]):
            return parse_cell(text)  # A value that nobody has: noise may give it.
        return self._make_set_cell(text, self.values.filter(pl.Series(inside)).to_list())

    def _parse_set(self, text: str, native: Cell) -> Cell | None:
        if self.hierarchy is None and native.members and native.members <= self.places.keys():
            return native
        members = parse_set_members(text, self._is_known_member)
        if members and self.hierarchy is None:
            return self._make_set_cell(text, [canonicalize_value(member) for member in members])
        if members:
            nodes = [self.read(canonicalize_value(member)) for member in members]
            inside = np.logical_or.reduce([self.covered(node) for node in nodes])
            return self._make_set_cell(text, self.values.filter(pl.Series(inside)).to_list())
        # In our own notation a member may be a value that nobody has, but not all of them.
        return native if any(map(self._is_known_member, filter(None, native.members))) else None

    def _is_known_member(self, member: str) -> bool:
        """Whether a member of a set is a value or a label, or a number where all values are."""
        text = canonicalize_value(member)
        is_number = self.ordered and not math.isnan(parse_number_or_day(text))
        return is_number or text in self.places or text in self._label_nodes

    def _parse_range(self, text: str, native: Cell) -> Cell | None:
        """A range of numbers or days; in a column of neither only one in our own notation."""
        if not self.ordered:
            return native if native.shape is CellShape.INTERVAL else None
        ends = (parse_period(text) if self.holds_dates else None) or parse_interval(text)
        if ends is None:
            return None
        low, high = ends
        if self.has_whole_numbers:
            low = low if math.isinf(low) else math.ceil(low)
            high = high if math.isinf(high) else math.floor(high)
        return Cell(CellShape.INTERVAL, text, low, high) if low <= high else None

    def _parse_mask(self, text: str) -> Cell | None:
        for pattern in mask_to_regexes(text):
            inside = self.values.filter(self.values.str.contains(pattern))
            if len(inside):
                return self._make_set_cell(text, inside.to_list())
        return None

    def _parse_prefix(self, text: str) -> Cell | None:
        if not text.isdecimal() or len(text) >= self._code_length:
            return None
        inside = self.values.filter(self.values.str.starts_with(text))
        return self._make_set_cell(text, inside.to_list()) if len(inside) else None

    def _interpret_number(self, cell: Cell) -> Cell:
        """A number: those that round to it, those a code stands for, or itself however spelled."""
        if self.rounding is not None and not math.isnan(cell.low):
            low, high = self.rounding.ends(cell.low)
            return replace(cell, shape=CellShape.INTERVAL, low=low, high=high)
        if self.code is not None and cell.low == self.code.value:
            if self.code.ends is None:
                return _unknown_cell(cell.text, CellShape.UNREAD)
            return Cell(CellShape.INTERVAL, cell.text, *self.code.ends)
        if cell.text in self.places:
            return cell
        equal = self.values.filter(pl.Series(self.numbers == cell.low))
        return self._make_set_cell(cell.text or "", equal.to_list()) if len(equal) else cell

    def _make_set_cell(self, text: str, members: list[str | None]) -> Cell:
        values = [parse_number_or_day(member) for member in members if member is not None]
        ends = (min(values), max(values)) if values and self.ordered else (math.nan, math.nan)
        return Cell(CellShape.SET, text, *ends, frozenset(members))


def _unknown_cell(text: str | None, shape: CellShape = CellShape.SUPPRESSED) -> Cell:
    return Cell(shape, text, -math.inf, math.inf)
