"""Attacks that know the algorithm: what a release says to somebody who knows how it was made.

    found = attack_algorithm(source, public, link, qi, sa, readers)

Cheapest class: a person sits in the fitting class with the least NCP. Tight hull and minimal node:
see `hulls.py`. Minimality (Wong et al. 2007): k people with one exact tuple who were generalized
all the same had no permitted class of their own, so their values break the condition; judged
against others of the same classes (the fair control), because skewed classes are easy to guess.
A null result is one of these attacks, on these data; it proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import Cell, Shape, canonical, class_codes
from tokumei.core.notations import number
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.ledger.contribution import Fitting, fitting
from tokumei.tables.ledger.hulls import Hulls, values_of


@dataclass(frozen=True)
class Narrowing:
    """Cheapest class: classes that fit a person, by chance and by the rule; truths excluded."""

    fitting: float
    by_chance: float
    right: float
    excluded: float
    left: float


@dataclass(frozen=True)
class Exact:
    """Tight hull: class-columns whose values are known, and exact records that are right."""

    columns_known: float
    claimed: int
    right: int
    share: float


@dataclass(frozen=True)
class Flagged:
    """Minimality: people flagged, and how often the most frequent value of their class is right."""

    people: float
    top_flagged: float | None
    top_control: float | None
    top_everyone: float


@dataclass(frozen=True)
class Algorithm:
    """What the attacks found."""

    people: int
    narrowing: Narrowing | None
    exact: Exact
    flagged: Flagged | None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        parts = {"cheapest_class": self.narrowing, "tight_hull": self.exact}
        told = {**parts, "minimality": self.flagged}
        plain = {name: None if one is None else vars(one) for name, one in told.items()}
        return {"people": self.people, **plain}


def attack_algorithm(
    source: pl.DataFrame,
    public: pl.DataFrame,
    link: np.ndarray,
    qi: Sequence[str],
    sa: Sequence[str],
    readers: Mapping[str, ColumnReader],
    *,
    hierarchies: Hierarchies | None = None,
    k: int = 2,
) -> Algorithm:
    """All attacks on one release, judged by its link."""
    hulls = Hulls.of_frame(public, qi, readers)
    found = fitting(source, public, hulls.of, qi, hierarchies or {})
    narrowed = _narrowed(found, hulls, readers, link) if found.known else None
    flagged = _flagged(source, public, link, qi, sa, hulls, k) if sa else None
    return Algorithm(public.height, narrowed, _exact(source, link, hulls), flagged)


def _narrowed(
    found: Fitting, hulls: Hulls, readers: Mapping[str, ColumnReader], link: np.ndarray
) -> Narrowing:
    cost = np.sum(
        [[_ncp(cell, readers[name]) for cell in cells] for name, cells in hulls.cells.items()],
        axis=0,
    )
    sizes = np.diff(found.start)
    some = np.flatnonzero(sizes > 0)
    least = np.full(len(sizes), np.inf)
    least[some] = np.minimum.reduceat(cost[found.classes], found.start[some])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    cheapest = cost[found.classes] <= least[owner] + 1e-9
    ties = np.bincount(owner[cheapest], minlength=len(sizes))
    pattern, own = found.pattern[link], hulls.of
    inside = cost[own] <= least[pattern] + 1e-9
    many = np.maximum(sizes[pattern], 1)
    return Narrowing(
        float(many.mean()),
        float((1 / many).mean()),
        float((inside / np.maximum(ties[pattern], 1)).mean()),
        float((~inside).mean()),
        float(np.maximum(ties[pattern], 1).mean()),
    )


def _ncp(cell: Cell, reader: ColumnReader) -> float:
    if cell.shape is Shape.PLAIN:
        return 0.0
    if reader.ordered:
        known = reader.numbers[~np.isnan(reader.numbers)]
        low, high = max(cell.low, known.min()), min(cell.high, known.max())
        more = 1 / max(len(known) - 1, 1) if None in cell.members else 0.0
        return min(float((high - low) / ((known.max() - known.min()) or 1.0)) + more, 1.0)
    covered = int(reader.covered(cell).sum())
    return covered / len(reader.values) if covered > 1 else 0.0


def _exact(source: pl.DataFrame, link: np.ndarray, hulls: Hulls) -> Exact:
    general, known, exact = hulls.general(), hulls.known(), hulls.exact()
    columns = np.sum([one.sum() for one in general.values()])
    told = np.sum([(general[name] & known[name]).sum() for name in general])
    claimed = int(hulls.sizes[exact].sum())
    right = 0
    for name, cells in hulls.cells.items():
        texts = canonical(source[name].gather(link))
        for one in np.flatnonzero(exact & general[name]):
            rows = np.flatnonzero(hulls.of == one)
            true = texts.gather(rows).to_list()
            if cells[one].shape is Shape.INTERVAL:
                true = [None if text is None else number(text) for text in true]
            # How many of the values said are really there, each counted once.
            right += (Counter(true) & Counter(values_of(cells[one]))).total()
    return Exact(float(told / max(columns, 1)), claimed, right, right / len(link))


def _flagged(
    source: pl.DataFrame,
    public: pl.DataFrame,
    link: np.ndarray,
    qi: Sequence[str],
    sa: Sequence[str],
    hulls: Hulls,
    k: int,
) -> Flagged:
    tuples = class_codes(source.select(canonical(source[name]) for name in qi), list(qi))[link]
    changed = np.logical_or.reduce(list(hulls.general().values()))[hulls.of]
    many = np.bincount(tuples)
    all_changed = np.bincount(tuples, weights=changed, minlength=len(many)) == many
    flag = (many >= k)[tuples] & all_changed[tuples]
    values = class_codes(canonical(public[sa[0]]).alias("v").to_frame(), ["v"])
    counts = np.zeros((len(hulls.sizes), int(values.max(initial=0)) + 1), dtype=np.int64)
    np.add.at(counts, (hulls.of, values), 1)
    right = counts.argmax(axis=1)[hulls.of] == values
    same = np.isin(hulls.of, np.unique(hulls.of[flag])) & ~flag
    return Flagged(float(flag.mean()), _mean(right, flag), _mean(right, same), float(right.mean()))


def _mean(which: np.ndarray, of: np.ndarray) -> float | None:
    return float(which[of].mean()) if of.any() else None
