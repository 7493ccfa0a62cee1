"""Entropy loss and KL divergence of the quasi-identifiers.

EntropyLoss(hierarchies={"age": ages}).score(case)
KlDivergence(hierarchies={"age": ages}).score(case)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.weighted_rows import count_class_rows
from tokumei.tables.measures.cell_spans import ColumnSpans, build_column_spans
from tokumei.tables.measures.cell_width import HierarchyMeasure
from tokumei.tables.measures.protocol import UnboundedMeasure


@dataclass(frozen=True)
class EntropyLoss(HierarchyMeasure):
    """Mean over QI of Σ_rows log₂(p(cell)/p(value)) / Σ_rows log₂(1/p(value)).

    p = share in the original column: a frequent value hidden among rare ones loses little. A
    deleted row, and a cell that does not cover the true value, count as `*`. A QI with one value
    loses nothing.
    """

    name: ClassVar[str] = "entropy_loss"
    compares_linked_rows: ClassVar[bool] = True
    title: ClassVar[Message] = Message("Entropy lost in the QI")
    sentence: ClassVar[Message] = Message(
        "How much of the information in the quasi-identifiers is gone."
    )
    formula: ClassVar[str] = "mean_j Σ log₂(p(cell) / p(x)) / Σ log₂(1 / p(x))"
    says: ClassVar[Message] = Message(
        "{value} of the information in the quasi-identifiers is gone."
    )
    limits: ClassVar[Limits] = Limits(0.10, 0.30)
    """As for NCP, counted in bits: 10 % and 30 %."""
    unit: ClassVar[Message] = Message("share of the bits")
    from_counts: ClassVar[bool] = False

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = build_column_spans(case, self.hierarchies)
        losses = [column_entropy_loss(column, case.link) for column in columns]
        return Score(float(np.mean(losses)) if losses else 0.0, sample=case.original.rows)


def column_entropy_loss(column: ColumnSpans, link: np.ndarray) -> float:
    """Share of the column's bits that the release does not tell."""
    share = np.bincount(column.original, minlength=column.leaves) / len(column.original)
    span_shares = np.array([share[leaves].sum() for leaves in column.spans])
    bits = -np.log2(share[column.original])
    left = bits.copy()
    is_covered = column.hold(column.released, column.original[link])
    hidden = bits[link] + np.log2(np.where(is_covered, span_shares[column.released], 1.0))
    # Sums of shares may exceed their parts in the last bit only: no loss is below 0.
    left[link] = np.maximum(hidden, 0.0)
    total = float(bits.sum())
    return min(float(left.sum()) / total, 1.0) if total else 0.0


@dataclass(frozen=True)
class KlDivergence(HierarchyMeasure, UnboundedMeasure):
    """Σ_t P(t)·ln(P(t)/Q(t)) over the distinct QI tuples t of the original.

    P = their share of the original's rows. Q = what the release shows: every released row is spread
    evenly over the leaves of its cells. If the release rules out a tuple of the original, one
    suppressed row is added to it, so that the figure stays finite.
    """

    name: ClassVar[str] = "kl_divergence"
    title: ClassVar[Message] = Message("KL divergence of the QI")
    sentence: ClassVar[Message] = Message(
        "How far the distribution of the quasi-identifiers is from the original's."
    )
    formula: ClassVar[str] = "Σ_t P(t) · ln(P(t) / Q(t))"
    says: ClassVar[Message] = Message(
        "The distribution of the quasi-identifiers is {value} nats away from the original's."
    )
    unit: ClassVar[Message] = Message("nats")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = build_column_spans(case, self.hierarchies)
        if not columns:
            return Score(0.0, sample=1)
        leaves = np.column_stack([column.original for column in columns])
        tuples, counts = _count_distinct(leaves, case.original_counts)
        spread_rows = spread_counts(columns, tuples, case.released_counts)
        rows, share = case.released_rows, counts / case.original_rows
        if spread_rows.all():
            log = np.log(spread_rows / rows)
        else:
            # In logarithms: the product of many large domains is beyond a float.
            log_domain = -sum(float(np.log(column.leaves)) for column in columns)
            log_shown = np.log(np.where(spread_rows > 0, spread_rows, 1.0))
            log = np.where(
                spread_rows > 0, np.logaddexp(log_shown, log_domain), log_domain
            ) - np.log(rows + 1)
        return Score(max(float(share @ (np.log(share) - log)), 0.0), sample=len(tuples))


def spread_counts(
    columns: list[ColumnSpans], tuples: np.ndarray, rows: np.ndarray | None = None
) -> np.ndarray:
    """How many released rows, spread over their leaves, fall on each tuple of leaves.

    `rows`: how many each of them stands for.
    """
    spans = np.column_stack([column.released for column in columns])
    released, counts = _count_distinct(spans, rows)
    finder = _TupleFinder(columns, tuples)
    spread_rows = np.zeros(len(tuples))
    for cells, count in zip(released, counts, strict=True):
        inside = finder.inside(cells)
        if len(inside):
            spread_rows[inside] += count / finder.size(cells)
    return spread_rows


class _TupleFinder:
    """Which tuples lie inside generalized ones; the tuples of a span are looked up once."""

    def __init__(self, columns: list[ColumnSpans], tuples: np.ndarray) -> None:
        self.columns, self.tuples = columns, tuples
        self.wide = [np.array([len(s) for s in c.spans], dtype=np.float64) for c in columns]
        self._by_leaf = [
            _sort_by_leaf(tuples[:, j], column.leaves) for j, column in enumerate(columns)
        ]
        self._span_cache: dict[tuple[int, int], np.ndarray] = {}

    def inside(self, cells: np.ndarray) -> np.ndarray:
        """The places of the tuples that the cells cover, from the rarest cell on."""
        lists = [self._tuples_fitting_cell(j, int(span)) for j, span in enumerate(cells)]
        places = min(lists, key=len)
        for j, span in enumerate(cells):
            if len(lists[j]) < len(self.tuples):
                places = places[self.columns[j].hold(int(span), self.tuples[places, j])]
        return places

    def size(self, cells: np.ndarray) -> float:
        """Over how many combinations of leaves a row is spread."""
        return float(np.prod([self.wide[j][span] for j, span in enumerate(cells)]))

    def _tuples_fitting_cell(self, column: int, span: int) -> np.ndarray:
        key = column, span
        if key not in self._span_cache:
            order, starts = self._by_leaf[column]
            leaves = self.columns[column].spans[span]
            sizes = starts[leaves + 1] - starts[leaves]
            # The runs of the leaves, one after the other.
            shift = np.repeat(starts[leaves] - np.cumsum(sizes) + sizes, sizes)
            self._span_cache[key] = order[shift + np.arange(len(shift))]
        return self._span_cache[key]


def _count_distinct(tuples: np.ndarray, rows: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """The distinct tuples and how many rows each has."""
    distinct, index = np.unique(tuples, axis=0, return_inverse=True)
    return distinct, count_class_rows(index.reshape(-1), rows)


def _sort_by_leaf(leaves: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """An order of the tuples by leaf, and where the run of every leaf begins and ends."""
    order = np.argsort(leaves, kind="stable")
    return order, np.searchsorted(leaves[order], np.arange(number + 1))
