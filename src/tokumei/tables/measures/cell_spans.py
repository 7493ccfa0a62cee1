"""The leaves that every released cell stands for, with its width and level.

columns = build_column_spans(case, hierarchies)       # a ColumnSpans per QI
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

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.generalized_cells import SUPPRESSED_CELL, Cell, CellShape, canonicalize_column
from tokumei.tables.comparisons import resolve_hierarchies
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.column_kinds import kind_from_dtype
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numeric_columns import scale_for_distances
from tokumei.tables.data.schema import ColumnKind
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.hierarchy_spans import hierarchy_spans

Hierarchies = str | Mapping[str, InstanceOf[Hierarchy] | str]
"""By column name a hierarchy, or how to find it; or one text for all (see `choose_hierarchies`)."""
MISSING_LEAF = "\0missing"
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
        return np.asarray(self._span_leaf_keys[np.searchsorted(self._span_leaf_keys, keys)] == keys)

    def shares(self, wanted: np.ndarray) -> np.ndarray:
        """The share of every span's leaves that is asked for (a flag per leaf)."""
        owner, leaves, span_sizes = self._flat_leaves
        return np.asarray(
            np.bincount(owner, wanted[leaves], minlength=len(span_sizes)) / span_sizes
        )

    @cached_property
    def _flat_leaves(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Every span's leaves one after the other: the span, the leaf; and how many of each."""
        span_sizes = np.array([len(leaves) for leaves in self.spans])
        owner = np.repeat(np.arange(len(span_sizes)), span_sizes)
        return owner, np.concatenate(self.spans), np.maximum(span_sizes, 1)

    @cached_property
    def _span_leaf_keys(self) -> np.ndarray:
        """All pairs of a span and a leaf in it as numbers, ascending; at the end one above all."""
        pairs = [span * self.leaves + leaves for span, leaves in enumerate(self.spans)]
        return np.concatenate([*pairs, [len(pairs) * self.leaves]])


def build_column_spans(case: Comparison, hierarchies: Hierarchies) -> list[ColumnSpans]:
    """The QI of a release, each by its hierarchy if it has one."""
    column_hierarchies = {**case.hierarchies, **resolve_hierarchies(case.original, hierarchies)}
    return [_build_spans(case, name, column_hierarchies.get(name)) for name in case.qi]


def _build_spans(case: Comparison, name: str, hierarchy: Hierarchy | None) -> ColumnSpans:
    original, released = case.original.frame[name], case.released.frame[name]
    if hierarchy is None:
        return _plain_spans(case.readers[name], original, released)
    labels = {label for names in hierarchy.names for label in names}
    if suppressed := case.readers[name].nothing - labels:
        released = released.cast(pl.String).replace(dict.fromkeys(suppressed, SUPPRESSED_CELL))
    leaf = hierarchy.leaf_codes(original)
    true = leaf[case.link] if case.linked else None
    places = _leaf_numbers(hierarchy.leaves.to_list())
    span_arrays = hierarchy_spans(hierarchy, released, true)
    return ColumnSpans(len(hierarchy.leaves), places, leaf, *span_arrays)


def _plain_spans(reader: ColumnReader, original: pl.Series, released: pl.Series) -> ColumnSpans:
    """Spans over the values that occur: of the original, plain in the release, or in its sets."""
    original_texts = canonicalize_column(original).fill_null(MISSING_LEAF)
    released_texts = canonicalize_column(released).fill_null(MISSING_LEAF)
    texts = released_texts.unique().sort()
    parsed = reader.read_cells(released)
    cells = [parsed[None if text == MISSING_LEAF else text] for text in texts]
    extra = {member for cell in cells for member in _named_values(cell)}
    values = sorted({*original_texts.unique(), *extra})
    place_of_value = {value: place for place, value in enumerate(values)}
    places = np.array([parse_number_or_day(value) for value in values])
    spans = tuple(_covered_leaves(cell, place_of_value, places) for cell in cells)
    return ColumnSpans(
        len(values),
        _leaf_numbers(values),
        original_texts.replace_strict(
            list(place_of_value), list(place_of_value.values()), return_dtype=pl.Int64
        ).to_numpy(),
        released_texts.replace_strict(texts, range(len(texts)), return_dtype=pl.Int64).to_numpy(),
        spans,
        _cell_losses(reader, cells, original),
        np.array([float(cell.is_generalized) for cell in cells]),
    )


def _named_values(cell: Cell) -> set[str]:
    """The values that a cell names."""
    named = {cell.text} if cell.shape is CellShape.PLAIN else cell.members
    return {MISSING_LEAF if member is None else member for member in named}


def _covered_leaves(cell: Cell, place_of_value: dict[str, int], places: np.ndarray) -> np.ndarray:
    if cell.shape is CellShape.SUPPRESSED:
        return np.arange(len(place_of_value))
    named_places = np.array(
        sorted(place_of_value[member] for member in _named_values(cell)), dtype=np.int64
    )
    if cell.shape is not CellShape.INTERVAL:
        return named_places
    return np.union1d(np.flatnonzero((cell.low <= places) & (places <= cell.high)), named_places)


def _cell_losses(reader: ColumnReader, cells: list[Cell], original: pl.Series) -> np.ndarray:
    """NCP of every cell without a hierarchy; at most 1."""
    if kind_from_dtype(original) is not ColumnKind.CATEGORY:
        return np.array([relative_width(reader, cell) for cell in cells])
    domain = max(original.drop_nulls().n_unique() - 1, 1)
    extra_values = (
        np.inf if c.shape is CellShape.SUPPRESSED else max(reader.count_covered(c) - 1, 0)
        for c in cells
    )
    return np.array([min(values / domain, 1.0) for values in extra_values])


def relative_width(reader: ColumnReader, cell: Cell) -> float:
    """The width of a cell of numbers or dates, as a share of the column's; at most 1.

    If the value may be missing as well, that counts as one value more: 1 / (values − 1).
    """
    if cell.shape is CellShape.SUPPRESSED:
        return 1.0
    if not cell.is_generalized:
        return 0.0
    present = reader.numbers[~np.isnan(reader.numbers)]
    least, most = (present.min(), present.max()) if len(present) else (0.0, 0.0)
    ends = float(cell.low), float(cell.high)
    low, high = (least if np.isinf(ends[0]) else ends[0]), (most if np.isinf(ends[1]) else ends[1])
    (span,) = scale_for_distances(np.array([low, high, least, most]))
    width, domain = span[1] - span[0], span[3] - span[2]
    # Text in a column of numbers has the width NaN, which fmin counts as 1.
    missing_share = 1 / max(len(present) - 1, 1) if None in cell.members else 0.0
    return float(np.fmin((width / domain if domain > 0 else width > 0) + missing_share, 1.0))


def _leaf_numbers(values: list[str]) -> np.ndarray | None:
    numbers = np.array(
        [
            parse_number_or_day(value)
            for value in values
            if value not in (SUPPRESSED_CELL, MISSING_LEAF)
        ]
    )
    if len(numbers) != len(values) or np.isnan(numbers).any():
        return None
    return numbers
