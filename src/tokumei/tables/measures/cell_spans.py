"""What every released cell stands for: a set of leaves of its column, its width and its level.

columns = spans_of(case, hierarchies)       # a ColumnSpans per QI
columns[0].losses[columns[0].released]      # NCP of every released cell of the first QI

The leaves of a column are those of its hierarchy, or else the values that occur in it. A missing
value is a leaf of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from pydantic import InstanceOf

from tokumei.core.cells import STAR, Cell, Shape, bounds, canonical, number, parse_cell
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.infer import kind_of
from tokumei.tables.data.schema import ColumnKind
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.hierarchy_spans import hierarchy_spans

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
    found = found_hierarchies(case, hierarchies)
    return [_column(case, name, found.get(name)) for name in case.qi]


def found_hierarchies(case: Comparison, given: Hierarchies) -> dict[str, Hierarchy]:
    """The hierarchies by column; those given as text are read or proposed."""
    frame = case.original.frame
    if isinstance(given, str):
        return choose_hierarchies(given, frame, case.qi)
    case.original.schema.require(given)
    named = {column: text for column, text in given.items() if isinstance(text, str)}
    ready = {column: one for column, one in given.items() if not isinstance(one, str)}
    return ready | choose_hierarchies(named, frame, list(named))


def _column(case: Comparison, name: str, hierarchy: Hierarchy | None) -> ColumnSpans:
    original, released = case.original.frame[name], case.released.frame[name]
    if hierarchy is None:
        return _plain_spans(original, released)
    leaf = hierarchy.leaf_codes(original)
    true = leaf[case.link] if case.linked else None
    places = _places(hierarchy.leaves.to_list())
    found = hierarchy_spans(hierarchy, released, true)
    return ColumnSpans(len(hierarchy.leaves), places, leaf, *found)


def _plain_spans(original: pl.Series, released: pl.Series) -> ColumnSpans:
    """Spans over the values that occur: of the original, plain in the release, or in its sets."""
    known = canonical(original).fill_null(MISSING)
    shown = canonical(released).fill_null(MISSING)
    texts = shown.unique().sort()
    cells = [parse_cell(text) for text in texts]
    extra = {m for c in cells for m in _members(c)}
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
        _losses(cells, original),
        np.array([float(cell.is_general) for cell in cells]),
    )


def _members(cell: Cell) -> frozenset[str]:
    return frozenset([cell.text]) if cell.shape is Shape.PLAIN else cell.members


def _leaves(cell: Cell, at: dict[str, int], places: np.ndarray) -> np.ndarray:
    if cell.shape is Shape.SUPPRESSED:
        return np.arange(len(at))
    if cell.shape is Shape.INTERVAL:
        return np.flatnonzero((cell.low <= places) & (places <= cell.high))
    return np.array(sorted(at[member] for member in _members(cell)), dtype=np.int64)


def _losses(cells: list[Cell], original: pl.Series) -> np.ndarray:
    """NCP of every cell without a hierarchy; at most 1."""
    known = original.drop_nulls()
    ordered = kind_of(original) is not ColumnKind.CATEGORY
    domain = float(np.ptp(bounds(known)[0])) if ordered and len(known) else 0.0
    if not ordered:
        domain = known.n_unique() - 1.0
    return np.array([_loss(cell, ordered, domain) for cell in cells], dtype=np.float64)


def _loss(cell: Cell, ordered: bool, domain: float) -> float:
    if cell.shape is Shape.SUPPRESSED:
        return 1.0
    if not cell.is_general:
        return 0.0
    width = cell.high - cell.low if ordered else len(cell.members) - 1.0
    # Text in a column of numbers has the width NaN, which fmin counts as 1.
    return float(np.fmin(width / domain if domain > 0 else width > 0, 1.0))


def _places(values: list[str]) -> np.ndarray | None:
    found = np.array([number(value) for value in values if value not in (STAR, MISSING)])
    if len(found) != len(values) or np.isnan(found).any():
        return None
    return found
