"""Distributions before and after as shares in bins, without values of few people.

The release is public: beside it, exact shares of the original would tell in which bin a single row
was deleted. So a bin whose rows differ by fewer than k shows the release's share on both sides.

Bins of numbers are cut at rounded quantiles of the original and open at both ends, so that no
extreme is shown; rarer values of other columns are counted together. A generalized cell counts
in equal parts for every value it may stand for, an interval evenly over its width (a gap beside it
has none).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.generalized_cells import (
    SUPPRESSED_CELL,
    CellShape,
    canonicalize_column,
    equivalence_class_codes,
)
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.data.schema import Column, Role
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy

MAX_BINS = 10
MIN_ROWS = 5
"""The fewest original rows that a bin or a named value of its own may hold."""
VALUES_SHOWN = 12
REST_LABEL, MISSING_LABEL = "…", "∅"
CellEnds = tuple[np.ndarray, np.ndarray]
"""The lowest and highest possible value of every cell of a column."""
SIZE_STEPS = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class DistributionBar:
    """One bin or value: the share of the original's and of the release's rows in it."""

    label: Message
    before: float
    after: float


@dataclass(frozen=True)
class ColumnChange:
    """The distribution of one column on either side."""

    column: str
    numeric: bool
    bars: tuple[DistributionBar, ...]

    @property
    def missing(self) -> DistributionBar | None:
        """The missing cells, if there are any on either side."""
        return next((bar for bar in self.bars if bar.label.show("en") == MISSING_LABEL), None)

    @property
    def shift(self) -> float:
        """Total variation distance: the share of rows that would have to move."""
        return sum(abs(bar.before - bar.after) for bar in self.bars) / 2


def chart_rows(bars: tuple[DistributionBar, ...]) -> list[JsonObject]:
    """Bars as rows for a chart, in order, in all languages."""
    return [
        {
            "at": index,
            **bar.label.texts(),
            "before": round(bar.before, 6),
            "after": round(bar.after, 6),
        }
        for index, bar in enumerate(bars)
    ]


def column_changes(
    original: Table,
    released: Table,
    hierarchies: Hierarchies = MappingProxyType({}),
    fewest: int = MIN_ROWS,
) -> list[ColumnChange]:
    """Every QI and SA column, before and after; of fewer rows than `fewest` nothing is told."""
    columns = [c for c in original.schema.columns if c.role in (Role.QI, Role.SA)]
    all_changes = (
        column_change(original, released, item, hierarchies.get(item.name)) for item in columns
    )
    rows = original.rows, released.rows
    return [replace(item, bars=hide_small_counts(item.bars, rows, fewest)) for item in all_changes]


def hide_small_counts(
    bars: tuple[DistributionBar, ...], rows: tuple[int, int], fewest: int
) -> tuple[DistributionBar, ...]:
    """The bars without what they would tell of fewer than so many rows."""
    shown_bars = []
    for bar in bars:
        original_rows, released_rows = bar.before * rows[0], bar.after * rows[1]
        shown = bar.before if original_rows >= fewest else 0.0
        shown_bars.append(
            replace(bar, before=bar.after if abs(original_rows - released_rows) < fewest else shown)
        )
    return tuple(shown_bars)


def min_disclosed_rows(claims: Iterable[Claim]) -> int:
    """The k of a release, if it claims one; FEWEST at least."""
    return max([MIN_ROWS, *(int(claim.params.get("k", 0)) for claim in claims)])


def column_change(
    original: Table, released: Table, column: Column, hierarchy: Hierarchy | None = None
) -> ColumnChange:
    """One column: quantile bins for numbers with many values, else the values themselves."""
    before, after = original.frame[column.name], released.frame[column.name]
    many = column.role is Role.SA or before.n_unique() > VALUES_SHOWN
    if column.kind.is_number and many:
        sides = [_cell_ends(table, column.name) for table in (original, released)]
        return ColumnChange(column.name, True, number_bars(*sides))
    shown = column.role is Role.SA
    return ColumnChange(column.name, False, value_bars(before, after, hierarchy, only_shown=shown))


def number_bars(before: CellEnds, after: CellEnds) -> tuple[DistributionBar, ...]:
    """Shares between rounded quantiles of `before`; suppressed and missing cells (NaN) last."""
    edges = bin_edges(before[0])
    shares = [_bin_shares(*ends, edges) for ends in (before, after)]
    labels = [
        *_edge_labels(edges),
        Message.verbatim(SUPPRESSED_CELL),
        Message.verbatim(MISSING_LABEL),
    ]
    bars = [DistributionBar(*bar) for bar in zip(labels, *shares, strict=True)]
    return tuple(bars[:-2] + [bar for bar in bars[-2:] if bar.before or bar.after])


def bin_edges(values: np.ndarray) -> np.ndarray:
    """Rounded inner quantiles such that every bin holds at least FEWEST of `values`."""
    known = values[np.isfinite(values)]
    if not len(known):
        return np.empty(0)
    quantiles = np.quantile(known, np.arange(1, MAX_BINS) / MAX_BINS)
    edges: list[float] = []
    for edge in np.unique([float(f"{q:.2g}") for q in quantiles]):
        inside = (known <= edge) & (known > (edges[-1] if edges else -np.inf))
        if inside.sum() >= MIN_ROWS and (known > edge).sum() >= MIN_ROWS:
            edges.append(float(edge))
    return np.array(edges)


def value_bars(
    before: pl.Series,
    after: pl.Series,
    hierarchy: Hierarchy | None = None,
    *,
    only_shown: bool = False,
) -> tuple[DistributionBar, ...]:
    """Shares of the frequent values, then the rest, suppressed and missing cells.

    With `only_shown` no value is named that the release does not show, too.
    """
    reader = ColumnReader.of(before, after, hierarchy)
    counts = _count_values(before)
    hidden = {MISSING_LABEL} | ({*counts} - {*_count_values(after)} if only_shown else set())
    frequent_enough = [v for v, n in counts.items() if n >= MIN_ROWS and v not in hidden]
    frequent = sorted(frequent_enough, key=lambda v: (-counts[v], v))[:VALUES_SHOWN]
    named = sorted(frequent, key=_natural_key)
    original_rows = _spread_counts(counts, named, reader)
    released_rows = _spread_counts(_count_values(after), named, reader)
    labels = [*named, REST_LABEL, SUPPRESSED_CELL, MISSING_LABEL]
    return tuple(
        DistributionBar(
            Message.verbatim(v),
            original_rows[v] / max(len(before), 1),
            released_rows[v] / max(len(after), 1),
        )
        for v in labels
        if v in named or original_rows[v] or released_rows[v]
    )


def class_size_bars(
    original: Table, released: Table, fewest: int = MIN_ROWS
) -> tuple[DistributionBar, ...]:
    """Share of the rows that live in QI classes of each size."""
    qi = original.schema.qi
    before, after = _size_shares(original.frame, qi), _size_shares(released.frame, qi)
    labels = [
        str(low) if high - low == 1 else f"{low}–{high - 1}" for low, high in pairwise(SIZE_STEPS)
    ]
    labels.append(f"{SIZE_STEPS[-1]}+")
    bars = zip(labels, before, after, strict=True)
    size_bars = tuple(
        DistributionBar(Message.verbatim(label), old, new) for label, old, new in bars
    )
    return hide_small_counts(size_bars, (original.rows, released.rows), fewest)


def _size_shares(frame: pl.DataFrame, qi: list[str]) -> list[float]:
    sizes = np.bincount(equivalence_class_codes(frame, qi))
    bins = np.searchsorted(SIZE_STEPS, sizes, side="right") - 1
    rows = np.bincount(bins, weights=sizes, minlength=len(SIZE_STEPS))
    return [float(n) / max(frame.height, 1) for n in rows]


def _cell_ends(table: Table, column: str) -> CellEnds:
    """What is no number but there may be any."""
    low, high = (side[:, 0] for side in table.ranges([column]))
    is_unreadable = np.isnan(low) & table.frame[column].is_not_null().to_numpy()
    return np.where(is_unreadable, -np.inf, low), np.where(is_unreadable, np.inf, high)


def _bin_shares(low: np.ndarray, high: np.ndarray, edges: np.ndarray) -> list[float]:
    """Share per bin, an interval spread evenly over its width; then suppressed, missing cells."""
    known = np.isfinite(low) & np.isfinite(high)
    start, end = low[known][:, None], high[known][:, None]
    width = np.where(end > start, end - start, 1.0)
    below = np.where(end > start, np.clip((edges - start) / width, 0.0, 1.0), start <= edges)
    shares = np.diff([0.0, *below.sum(axis=0), known.sum()]) / max(len(low), 1)
    gaps, rows = int(np.isnan(low).sum()), max(len(low), 1)
    return [*shares.tolist(), (int((~known).sum()) - gaps) / rows, gaps / rows]


def _edge_labels(edges: np.ndarray) -> list[Message]:
    if not len(edges):
        return [Message("all")]
    return [
        *(Message("≤{edge:short}", edge=edge) for edge in edges.tolist()),
        Message(">{edge:short}", edge=float(edges[-1])),
    ]


def _count_values(series: pl.Series) -> dict[str, int]:
    counted = (
        canonicalize_column(series).fill_null(MISSING_LABEL).alias("value").value_counts(name="n")
    )
    # In text order: sums of shares must have the same bits in every run.
    return dict(counted.sort("value").iter_rows())


def _spread_counts(
    counts: dict[str, int], named: list[str], reader: ColumnReader
) -> dict[str, float]:
    """Rows per named value; a generalized cell is shared out among those it covers."""
    rows = dict.fromkeys([*named, REST_LABEL, SUPPRESSED_CELL, MISSING_LABEL], 0.0)
    for text, count in counts.items():
        cell = reader.read(text)
        if text in rows or cell.shape in (CellShape.PLAIN, CellShape.UNREAD):
            rows[text if text in rows else REST_LABEL] += count
            continue
        inside = reader.covered(cell)
        covered = [value for value in named if inside[reader.places[value]]]
        covered += [MISSING_LABEL] if None in cell.members else []
        for value in covered or [REST_LABEL]:
            rows[value] += count / max(len(covered), 1)
    return rows


def _natural_key(value: str) -> tuple[float, str]:
    place = parse_number_or_day(value)
    return (np.inf if np.isnan(place) else place, value)
