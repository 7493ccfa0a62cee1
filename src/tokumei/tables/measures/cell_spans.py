"""What every released cell stands for: a set of leaves of its column, its width and its level.

columns = spans_of(case, hierarchies)       # a ColumnSpans per QI
columns[0].losses[columns[0].released]      # NCP of every released cell of the first QI

The leaves of a column are those of its hierarchy, or else the values that occur in it. A missing
value is a leaf of its own.

With a hierarchy, cells are its nodes. A label may stand on several levels (`30-39` where a level
changes nothing). A row's cell is then the lowest node with that label above the row's true value;
if none is above it (the value was changed), the lowest node with that label. Cells that are no
labels are read as `data/cell_reader.py` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from pydantic import InstanceOf

from tokumei.core.cells import STAR, Cell, Shape, canonical
from tokumei.core.errors import InputError
from tokumei.core.notations import number
from tokumei.tables.comparing import given_hierarchies
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.column_kinds import kind_of
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numbers import spannable
from tokumei.tables.data.schema import ColumnKind
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaves import NULL_LEAVES, missing_error

Hierarchies = str | Mapping[str, InstanceOf[Hierarchy] | str]
"""By column name a hierarchy, or how to find it; or one text for all (see `choose_hierarchies`)."""
MISSING = "\0missing"
"""Stands for a missing value, which no text of a file can equal."""


@dataclass(frozen=True, eq=False)
class ColumnSpans:
    """A column: the leaf of every original row, the span of every released row, and the spans.

    `places` are the leaves as numbers, if all are numbers or dates: ranges then make sense.
    `losses` are NCP, `levels` are steps up the hierarchy / its height; both 0 for a value, 1 for
    `*`.
    """

    leaves: int
    places: np.ndarray | None
    original: np.ndarray
    released: np.ndarray
    spans: tuple[np.ndarray, ...]
    losses: np.ndarray
    levels: np.ndarray

    def hold(self, spans: np.ndarray | int, leaves: np.ndarray) -> np.ndarray:
        """Whether each leaf lies in the span beside it."""
        keys = np.asarray(spans) * self.leaves + leaves
        return np.asarray(self._keys[np.searchsorted(self._keys, keys)] == keys)

    def shares(self, asked: np.ndarray) -> np.ndarray:
        """The share of every span's leaves that is asked for (a flag per leaf)."""
        owner, leaves, wide = self._flat
        return np.asarray(np.bincount(owner, asked[leaves], minlength=len(wide)) / wide)

    @cached_property
    def _flat(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Every span's leaves one after the other: the span, the leaf; and how many of each."""
        wide = np.array([len(leaves) for leaves in self.spans])
        owner = np.repeat(np.arange(len(wide)), wide)
        return owner, np.concatenate(self.spans), np.maximum(wide, 1)

    @cached_property
    def _keys(self) -> np.ndarray:
        """All pairs of a span and a leaf in it as numbers, ascending; at the end one above all."""
        pairs = [place * self.leaves + leaves for place, leaves in enumerate(self.spans)]
        return np.concatenate([*pairs, [len(pairs) * self.leaves]])


def spans_of(case: Comparison, hierarchies: Hierarchies) -> list[ColumnSpans]:
    """The QI of a release, each by its hierarchy if it has one."""
    found = {**case.hierarchies, **given_hierarchies(case.original, hierarchies)}
    return [_column(case, name, found.get(name)) for name in case.qi]


def _column(case: Comparison, name: str, hierarchy: Hierarchy | None) -> ColumnSpans:
    original, released = case.original.frame[name], case.released.frame[name]
    if hierarchy is None:
        return _plain_spans(case.readers[name], original, released)
    labels = {label for names in hierarchy.names for label in names}
    if nothing := case.readers[name].nothing - labels:
        released = released.cast(pl.String).replace(dict.fromkeys(nothing, STAR))
    leaf = hierarchy.leaf_codes(original)
    true = leaf[case.link] if case.linked else None
    places = _places(hierarchy.leaves.to_list())
    found = hierarchy_spans(hierarchy, released, true)
    return ColumnSpans(len(hierarchy.leaves), places, leaf, *found)


def _plain_spans(reader: ColumnReader, original: pl.Series, released: pl.Series) -> ColumnSpans:
    """Spans over the values that occur: of the original, plain in the release, or in its sets."""
    known = canonical(original).fill_null(MISSING)
    shown = canonical(released).fill_null(MISSING)
    texts = shown.unique().sort()
    read = reader.cells(released)
    cells = [read[None if text == MISSING else text] for text in texts]
    extra = {member for cell in cells for member in _members(cell)}
    values = sorted({*known.unique(), *extra})
    at = {value: place for place, value in enumerate(values)}
    places = np.array([number(value) for value in values])
    spans = tuple(_leaves(cell, at, places) for cell in cells)
    return ColumnSpans(
        len(values),
        _places(values),
        known.replace_strict(list(at), list(at.values()), return_dtype=pl.Int64).to_numpy(),
        shown.replace_strict(texts, range(len(texts)), return_dtype=pl.Int64).to_numpy(),
        spans,
        _losses(reader, cells, original),
        np.array([float(cell.is_general) for cell in cells]),
    )


def _members(cell: Cell) -> set[str]:
    """The values that a cell names."""
    named = {cell.text} if cell.shape is Shape.PLAIN else cell.members
    return {MISSING if member is None else member for member in named}


def _leaves(cell: Cell, at: dict[str, int], places: np.ndarray) -> np.ndarray:
    if cell.shape is Shape.SUPPRESSED:
        return np.arange(len(at))
    named = np.array(sorted(at[member] for member in _members(cell)), dtype=np.int64)
    if cell.shape is not Shape.INTERVAL:
        return named
    return np.union1d(np.flatnonzero((cell.low <= places) & (places <= cell.high)), named)


def _losses(reader: ColumnReader, cells: list[Cell], original: pl.Series) -> np.ndarray:
    """NCP of every cell without a hierarchy; at most 1."""
    if kind_of(original) is not ColumnKind.CATEGORY:
        return np.array([reach(reader, cell) for cell in cells])
    domain = max(original.drop_nulls().n_unique() - 1, 1)
    more = (np.inf if c.shape is Shape.SUPPRESSED else max(reader.size(c) - 1, 0) for c in cells)
    return np.array([min(values / domain, 1.0) for values in more])


def reach(reader: ColumnReader, cell: Cell) -> float:
    """The width of a cell of numbers or dates, as a share of the column's; at most 1.

    If the value may be missing as well, that counts as one value more: 1 / (values − 1).
    """
    if cell.shape is Shape.SUPPRESSED:
        return 1.0
    if not cell.is_general:
        return 0.0
    known = reader.numbers[~np.isnan(reader.numbers)]
    least, most = (known.min(), known.max()) if len(known) else (0.0, 0.0)
    ends = float(cell.low), float(cell.high)
    low, high = (least if np.isinf(ends[0]) else ends[0]), (most if np.isinf(ends[1]) else ends[1])
    (span,) = spannable(np.array([low, high, least, most]))
    width, domain = span[1] - span[0], span[3] - span[2]
    # Text in a column of numbers has the width NaN, which fmin counts as 1.
    more = 1 / max(len(known) - 1, 1) if None in cell.members else 0.0
    return float(np.fmin((width / domain if domain > 0 else width > 0) + more, 1.0))


def _places(values: list[str]) -> np.ndarray | None:
    found = np.array([number(value) for value in values if value not in (STAR, MISSING)])
    if len(found) != len(values) or np.isnan(found).any():
        return None
    return found


UNKNOWN = -1
"""Instead of a leaf: rows are not side by side with their originals."""


def hierarchy_spans(
    hierarchy: Hierarchy, released: pl.Series, true_leaf: np.ndarray | None
) -> tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
    """The span of every row; leaves, NCP and level / height of every span.

    Cells that stand for nothing in the hierarchy are an InputError; without the true leaves, so
    are labels that stand for different leaves on different levels.
    """
    cells = _filled(hierarchy, canonical(released))
    if true_leaf is None:
        true_leaf = np.full(len(cells), UNKNOWN)
    rows = pl.DataFrame({"cell": cells, "leaf": true_leaf}, strict=False)
    pairs = rows.unique(maintain_order=True).sort("cell", "leaf")
    reader = _Reader(hierarchy)
    node = reader.read(pairs["cell"], pairs["leaf"].to_numpy(), released)
    numbered = pairs.with_columns(span=pl.Series(node, dtype=pl.Int64))
    joined = rows.join(numbered, on=["cell", "leaf"], how="left", maintain_order="left")
    spans = tuple(reader.spans)
    wide = np.array([len(leaves) for leaves in spans], dtype=np.float64)
    losses = (wide - 1) / max(len(hierarchy.leaves) - 1, 1)
    levels = np.array(reader.levels) / max(hierarchy.height, 1)
    return joined["span"].to_numpy(), spans, losses, levels


def _filled(hierarchy: Hierarchy, cells: pl.Series) -> pl.Series:
    """Missing cells as the hierarchy's leaf for them, if it has one."""
    held = set(hierarchy.leaves.filter(hierarchy.leaves.is_in(NULL_LEAVES)))
    name = next((name for name in NULL_LEAVES if name in held), None)
    return cells if name is None else cells.fill_null(name)


class _Reader:
    """Collects the spans that occur; a span is a node (level, place) or a cell's text."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.labels = [canonical(names).to_list() for names in hierarchy.names]
        self.lowest: dict[str, tuple[int, int]] = {}
        for level in reversed(range(len(self.labels))):
            self.lowest |= {label: (level, node) for node, label in enumerate(self.labels[level])}
        self.written = ColumnReader(hierarchy.column, lambda: canonical(hierarchy.leaves))
        self.spans: list[np.ndarray] = []
        self.levels: list[int] = []
        self._numbers: dict[tuple[int, int] | str, int] = {}

    def read(self, cells: pl.Series, leaves: np.ndarray, released: pl.Series) -> list[int]:
        """The span of every pair of a cell and the true leaf behind it."""
        found = [self._span(c, int(f)) for c, f in zip(cells, leaves, strict=True)]
        unknown = {cell for cell, span in zip(cells, found, strict=True) if span is None}
        if unknown:
            shown = canonical(released)
            bad = shown.is_in([c for c in unknown if c is not None]).fill_null(None in unknown)
            raise missing_error(self.hierarchy.column, released.filter(bad), self.hierarchy.leaves)
        return [span for span in found if span is not None]

    def _span(self, cell: str | None, leaf: int) -> int | None:
        if cell is None:
            return None
        if cell not in self.lowest:
            return self._written(cell)
        up = self.hierarchy.up
        if leaf == UNKNOWN:
            return self._only(cell)
        above = (
            (level, int(up[level, leaf]))
            for level in range(self.lowest[cell][0], len(up))
            if self.labels[level][up[level, leaf]] == cell
        )
        level, node = next(above, self.lowest[cell])
        return self._number((level, node), np.flatnonzero(up[level] == node), level)

    def _only(self, label: str) -> int:
        """The lowest node with a label, whichever row it stands in."""
        up, (lowest, first) = self.hierarchy.up, self.lowest[label]
        leaves = np.flatnonzero(up[lowest] == first)
        for level in range(lowest, len(up)):
            nodes = [node for node, name in enumerate(self.labels[level]) if name == label]
            if any(not np.array_equal(np.flatnonzero(up[level] == n), leaves) for n in nodes):
                column = self.hierarchy.column
                raise InputError(
                    f"{column}: '{label}' stands for different values on different levels of its "
                    "hierarchy, so rows are needed beside their originals: use --engine local",
                    f"{column}: '{label}' は階層の段によって表す値が異なるため、"
                    "元の行と並べる必要があります。--engine local を使ってください",
                )
        return self._number((lowest, first), leaves, lowest)

    def _written(self, text: str) -> int | None:
        """A range, a set, or `*`; None for anything else, or if it covers nothing."""
        cell = self.written.read(text)
        if cell.shape in (Shape.PLAIN, Shape.UNREAD):
            return None
        gap = self.hierarchy.leaves.is_in(NULL_LEAVES).to_numpy() & (None in cell.members)
        leaves = np.flatnonzero(self.written.covered(cell) | gap)
        if not len(leaves):
            return None
        nodes = self.hierarchy.up[:, leaves]
        lowest = int(np.argmax((nodes == nodes[:, :1]).all(axis=1)))  # one node above all of them
        return self._number(text, leaves, lowest)

    def _number(self, key: tuple[int, int] | str, leaves: np.ndarray, level: int) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.spans)
            self.spans.append(leaves)
            self.levels.append(level)
        return self._numbers[key]
