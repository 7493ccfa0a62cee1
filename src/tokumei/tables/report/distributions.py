"""Before and after, as shares in bins: never a value that belongs to few people.

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
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, Shape, canonical, class_codes
from tokumei.core.figures import short
from tokumei.core.notations import number
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.data.schema import Column, Role
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.hierarchy import Hierarchy

BINS = 10
FEWEST = 5
"""The fewest original rows that a bin or a named value of its own may hold."""
VALUES_SHOWN = 12
REST, MISSING = "…", "∅"
Ends = tuple[np.ndarray, np.ndarray]
"""The lowest and highest possible value of every cell of a column."""
SIZE_STEPS = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Bar:
    """One bin or value: the share of the original's and of the release's rows in it."""

    label: Text
    before: float
    after: float


@dataclass(frozen=True)
class Change:
    """The distribution of one column on either side."""

    column: str
    numeric: bool
    bars: tuple[Bar, ...]

    @property
    def missing(self) -> Bar | None:
        """The missing cells, if there are any on either side."""
        return next((bar for bar in self.bars if bar.label.en == MISSING), None)

    @property
    def shift(self) -> float:
        """Total variation distance: the share of rows that would have to move."""
        return sum(abs(bar.before - bar.after) for bar in self.bars) / 2


def records(bars: tuple[Bar, ...]) -> list[dict[str, Any]]:
    """Bars as rows for a chart, in order, in both languages."""
    return [
        {
            "at": at,
            "en": bar.label.en,
            "ja": bar.label.ja,
            "before": round(bar.before, 6),
            "after": round(bar.after, 6),
        }
        for at, bar in enumerate(bars)
    ]


def changes(
    original: Table,
    released: Table,
    hierarchies: Hierarchies = MappingProxyType({}),
    fewest: int = FEWEST,
) -> list[Change]:
    """Every QI and SA column, before and after; of fewer rows than `fewest` nothing is told."""
    wanted = [c for c in original.schema.columns if c.role in (Role.QI, Role.SA)]
    found = (column_change(original, released, one, hierarchies.get(one.name)) for one in wanted)
    rows = original.rows, released.rows
    return [replace(one, bars=told(one.bars, rows, fewest)) for one in found]


def told(bars: tuple[Bar, ...], rows: tuple[int, int], fewest: int) -> tuple[Bar, ...]:
    """The bars without what they would tell of fewer than so many rows."""
    found = []
    for bar in bars:
        old, new = bar.before * rows[0], bar.after * rows[1]
        shown = bar.before if old >= fewest else 0.0
        found.append(replace(bar, before=bar.after if abs(old - new) < fewest else shown))
    return tuple(found)


def fewest_told(claims: Iterable[Claim]) -> int:
    """The k of a release, if it claims one; FEWEST at least."""
    return max([FEWEST, *(int(claim.params.get("k", 0)) for claim in claims)])


def column_change(
    original: Table, released: Table, column: Column, hierarchy: Hierarchy | None = None
) -> Change:
    """One column: quantile bins for numbers with many values, else the values themselves."""
    before, after = original.frame[column.name], released.frame[column.name]
    many = column.role is Role.SA or before.n_unique() > VALUES_SHOWN
    if column.kind.is_number and many:
        sides = [_ends(table, column.name) for table in (original, released)]
        return Change(column.name, True, number_bars(*sides))
    shown = column.role is Role.SA
    return Change(column.name, False, value_bars(before, after, hierarchy, only_shown=shown))


def number_bars(before: Ends, after: Ends) -> tuple[Bar, ...]:
    """Shares between rounded quantiles of `before`; suppressed and missing cells (NaN) last."""
    edges = bin_edges(before[0])
    shares = [_binned(*ends, edges) for ends in (before, after)]
    labels = [*_edge_labels(edges), Text(STAR, STAR), Text(MISSING, MISSING)]
    bars = [Bar(*bar) for bar in zip(labels, *shares, strict=True)]
    return tuple(bars[:-2] + [bar for bar in bars[-2:] if bar.before or bar.after])


def bin_edges(values: np.ndarray) -> np.ndarray:
    """Rounded inner quantiles such that every bin holds at least FEWEST of `values`."""
    known = values[np.isfinite(values)]
    if not len(known):
        return np.empty(0)
    quantiles = np.quantile(known, np.arange(1, BINS) / BINS)
    edges: list[float] = []
    for edge in np.unique([float(f"{q:.2g}") for q in quantiles]):
        inside = (known <= edge) & (known > (edges[-1] if edges else -np.inf))
        if inside.sum() >= FEWEST and (known > edge).sum() >= FEWEST:
            edges.append(float(edge))
    return np.array(edges)


def value_bars(
    before: pl.Series,
    after: pl.Series,
    hierarchy: Hierarchy | None = None,
    *,
    only_shown: bool = False,
) -> tuple[Bar, ...]:
    """Shares of the frequent values, then the rest, suppressed and missing cells.

    With `only_shown` no value is named that the release does not show, too.
    """
    reader = ColumnReader.of(before, after, hierarchy)
    counts = _counts(before)
    hidden = {MISSING} | ({*counts} - {*_counts(after)} if only_shown else set())
    often = [v for v, n in counts.items() if n >= FEWEST and v not in hidden]
    frequent = sorted(often, key=lambda v: (-counts[v], v))[:VALUES_SHOWN]
    named = sorted(frequent, key=_natural)
    old = _spread(counts, named, reader)
    new = _spread(_counts(after), named, reader)
    labels = [*named, REST, STAR, MISSING]
    return tuple(
        Bar(Text(v, v), old[v] / max(len(before), 1), new[v] / max(len(after), 1))
        for v in labels
        if v in named or old[v] or new[v]
    )


def class_size_bars(original: Table, released: Table, fewest: int = FEWEST) -> tuple[Bar, ...]:
    """Share of the rows that live in QI classes of each size."""
    qi = original.schema.qi
    before, after = _size_shares(original.frame, qi), _size_shares(released.frame, qi)
    labels = [
        str(low) if high - low == 1 else f"{low}–{high - 1}" for low, high in pairwise(SIZE_STEPS)
    ]
    labels.append(f"{SIZE_STEPS[-1]}+")
    bars = zip(labels, before, after, strict=True)
    found = tuple(Bar(Text(label, label), old, new) for label, old, new in bars)
    return told(found, (original.rows, released.rows), fewest)


def _size_shares(frame: pl.DataFrame, qi: list[str]) -> list[float]:
    sizes = np.bincount(class_codes(frame, qi))
    bins = np.searchsorted(SIZE_STEPS, sizes, side="right") - 1
    rows = np.bincount(bins, weights=sizes, minlength=len(SIZE_STEPS))
    return [float(n) / max(frame.height, 1) for n in rows]


def _ends(table: Table, column: str) -> Ends:
    """What is no number but there may be any."""
    low, high = (side[:, 0] for side in table.ranges([column]))
    strange = np.isnan(low) & table.frame[column].is_not_null().to_numpy()
    return np.where(strange, -np.inf, low), np.where(strange, np.inf, high)


def _binned(low: np.ndarray, high: np.ndarray, edges: np.ndarray) -> list[float]:
    """Share per bin, an interval spread evenly over its width; then suppressed, missing cells."""
    known = np.isfinite(low) & np.isfinite(high)
    start, end = low[known][:, None], high[known][:, None]
    width = np.where(end > start, end - start, 1.0)
    below = np.where(end > start, np.clip((edges - start) / width, 0.0, 1.0), start <= edges)
    shares = np.diff([0.0, *below.sum(axis=0), known.sum()]) / max(len(low), 1)
    gaps, rows = int(np.isnan(low).sum()), max(len(low), 1)
    return [*shares.tolist(), (int((~known).sum()) - gaps) / rows, gaps / rows]


def _edge_labels(edges: np.ndarray) -> list[Text]:
    if not len(edges):
        return [Text("all", "すべて")]
    labels = [Text(f"≤{short(e, 'en')}", f"≤{short(e, 'ja')}") for e in edges]
    return [*labels, Text(f">{short(edges[-1], 'en')}", f">{short(edges[-1], 'ja')}")]


def _counts(series: pl.Series) -> dict[str, int]:
    counted = canonical(series).fill_null(MISSING).alias("value").value_counts(name="n")
    # In text order: sums of shares must have the same bits in every run.
    return dict(counted.sort("value").iter_rows())


def _spread(counts: dict[str, int], named: list[str], reader: ColumnReader) -> dict[str, float]:
    """Rows per named value; a generalized cell is shared out among those it covers."""
    rows = dict.fromkeys([*named, REST, STAR, MISSING], 0.0)
    for text, count in counts.items():
        cell = reader.read(text)
        if text in rows or cell.shape in (Shape.PLAIN, Shape.UNREAD):
            rows[text if text in rows else REST] += count
            continue
        inside = reader.covered(cell)
        covered = [value for value in named if inside[reader.places[value]]]
        covered += [MISSING] if None in cell.members else []
        for value in covered or [REST]:
            rows[value] += count / max(len(covered), 1)
    return rows


def _natural(value: str) -> tuple[float, str]:
    place = number(value)
    return (np.inf if np.isnan(place) else place, value)
