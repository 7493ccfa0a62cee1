"""Attacks that exploit knowledge of the anonymization algorithm.

    attacks = attack_algorithm(source, public, link, qi, sa, readers)

Cheapest class: a person sits in the fitting class with the least NCP. Tight hull and minimal node:
see `tight_cell_disclosure.py`. Minimality (Wong et al. 2007): k people with one exact tuple who
were generalized all the same had no permitted class of their own: their values break the condition;
judged against others of the same classes (the fair control), because skewed classes are easy to
guess. A null result is one of these attacks, on these data; it proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.generalized_cells import (
    Cell,
    CellShape,
    canonicalize_column,
    equivalence_class_codes,
)
from tokumei.core.json_types import JsonObject
from tokumei.tables.data.cell_reader import ColumnReader, Hierarchies
from tokumei.tables.ledger.contribution import FittingClasses, find_fitting_classes
from tokumei.tables.ledger.tight_cell_disclosure import ClassHulls, attained_values


@dataclass(frozen=True)
class CheapestClassResult:
    """Cheapest class: classes that fit a person, by chance and by the rule; truths excluded."""

    fitting: float
    by_chance: float
    right: float
    excluded: float
    left: float


@dataclass(frozen=True)
class TightHullResult:
    """Tight hull: class-columns whose values are known, and exact records that are right."""

    columns_known: float
    claimed: int
    right: int
    share: float


@dataclass(frozen=True)
class MinimalityResult:
    """Minimality: people flagged, and how often the most frequent value of their class is right."""

    people: float
    top_flagged: float | None
    top_control: float | None
    top_everyone: float


@dataclass(frozen=True)
class AlgorithmAttackResult:
    """What the attacks found."""

    people: int
    narrowing: CheapestClassResult | None
    exact: TightHullResult
    flagged: MinimalityResult | None

    def as_json(self) -> JsonObject:
        """Plain data."""
        parts = {"cheapest_class": self.narrowing, "tight_hull": self.exact}
        results = {**parts, "minimality": self.flagged}
        plain = {name: None if result is None else vars(result) for name, result in results.items()}
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
) -> AlgorithmAttackResult:
    """All attacks on one release, judged by its link."""
    hulls = ClassHulls.of_frame(public, qi, readers)
    candidates = find_fitting_classes(source, public, hulls.of, qi, hierarchies or {})
    cheapest = (
        _attack_cheapest_class(candidates, hulls, readers, link) if candidates.known else None
    )
    flagged = _attack_minimality(source, public, link, qi, sa, hulls, k) if sa else None
    return AlgorithmAttackResult(
        public.height, cheapest, _attack_tight_hull(source, link, hulls), flagged
    )


def _attack_cheapest_class(
    candidates: FittingClasses,
    hulls: ClassHulls,
    readers: Mapping[str, ColumnReader],
    link: np.ndarray,
) -> CheapestClassResult:
    cost = np.sum(
        [[_cell_ncp(cell, readers[name]) for cell in cells] for name, cells in hulls.cells.items()],
        axis=0,
    )
    sizes = np.diff(candidates.start)
    nonempty = np.flatnonzero(sizes > 0)
    least = np.full(len(sizes), np.inf)
    least[nonempty] = np.minimum.reduceat(cost[candidates.classes], candidates.start[nonempty])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    cheapest = cost[candidates.classes] <= least[owner] + 1e-9
    ties = np.bincount(owner[cheapest], minlength=len(sizes))
    pattern, own_class = candidates.pattern[link], hulls.of
    inside = cost[own_class] <= least[pattern] + 1e-9
    class_counts = np.maximum(sizes[pattern], 1)
    return CheapestClassResult(
        float(class_counts.mean()),
        float((1 / class_counts).mean()),
        float((inside / np.maximum(ties[pattern], 1)).mean()),
        float((~inside).mean()),
        float(np.maximum(ties[pattern], 1).mean()),
    )


def _cell_ncp(cell: Cell, reader: ColumnReader) -> float:
    if cell.shape is CellShape.PLAIN:
        return 0.0
    if reader.ordered:
        present = reader.numbers[~np.isnan(reader.numbers)]
        low, high = max(cell.low, present.min()), min(cell.high, present.max())
        missing_share = 1 / max(len(present) - 1, 1) if None in cell.members else 0.0
        return min(
            float((high - low) / ((present.max() - present.min()) or 1.0)) + missing_share, 1.0
        )
    covered = int(reader.covered(cell).sum())
    return covered / len(reader.values) if covered > 1 else 0.0


def _attack_tight_hull(
    source: pl.DataFrame, link: np.ndarray, hulls: ClassHulls
) -> TightHullResult:
    general, known, exact = hulls.general(), hulls.known(), hulls.exact()
    columns = np.sum([class_number.sum() for class_number in general.values()])
    known_columns = np.sum([(general[name] & known[name]).sum() for name in general])
    claimed = int(hulls.sizes[exact].sum())
    right = 0
    for name, cells in hulls.cells.items():
        texts = canonicalize_column(source[name].gather(link))
        for class_number in np.flatnonzero(exact & general[name]):
            rows = np.flatnonzero(hulls.of == class_number)
            true = texts.gather(rows).to_list()
            if cells[class_number].shape is CellShape.INTERVAL:
                true = [None if text is None else parse_number_or_day(text) for text in true]
            # How many of the values said are really there, each counted once.
            right += (Counter(true) & Counter(attained_values(cells[class_number]))).total()
    return TightHullResult(
        float(known_columns / max(columns, 1)), claimed, right, right / len(link)
    )


def _attack_minimality(
    source: pl.DataFrame,
    public: pl.DataFrame,
    link: np.ndarray,
    qi: Sequence[str],
    sa: Sequence[str],
    hulls: ClassHulls,
    k: int,
) -> MinimalityResult:
    tuples = equivalence_class_codes(
        source.select(canonicalize_column(source[name]) for name in qi), list(qi)
    )[link]
    changed = np.logical_or.reduce(list(hulls.general().values()))[hulls.of]
    tuple_sizes = np.bincount(tuples)
    all_changed = np.bincount(tuples, weights=changed, minlength=len(tuple_sizes)) == tuple_sizes
    flag = (tuple_sizes >= k)[tuples] & all_changed[tuples]
    values = equivalence_class_codes(
        canonicalize_column(public[sa[0]]).alias("v").to_frame(), ["v"]
    )
    counts = np.zeros((len(hulls.sizes), int(values.max(initial=0)) + 1), dtype=np.int64)
    np.add.at(counts, (hulls.of, values), 1)
    right = counts.argmax(axis=1)[hulls.of] == values
    same = np.isin(hulls.of, np.unique(hulls.of[flag])) & ~flag
    return MinimalityResult(
        float(flag.mean()), _mean_where(right, flag), _mean_where(right, same), float(right.mean())
    )


def _mean_where(values: np.ndarray, mask: np.ndarray) -> float | None:
    return float(values[mask].mean()) if mask.any() else None
