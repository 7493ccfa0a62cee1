"""Entropy loss and KL divergence: what is gone of the information in the quasi-identifiers.

EntropyLoss(hierarchies={"age": ages}).score(case)
KlDivergence(hierarchies={"age": ages}).score(case)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.counted import sizes_of
from tokumei.tables.measures.cell_spans import ColumnSpans, spans_of
from tokumei.tables.measures.cell_width import ByHierarchies
from tokumei.tables.measures.protocol import Unbounded


@dataclass(frozen=True)
class EntropyLoss(ByHierarchies):
    """Mean over QI of Σ_rows log₂(p(cell)/p(value)) / Σ_rows log₂(1/p(value)).

    p = share in the original column: a frequent value hidden among rare ones loses little. A
    deleted row, and a cell that does not cover the true value, count as `*`. A QI with one value
    loses nothing.
    """

    name: ClassVar[str] = "entropy_loss"
    title: ClassVar[Text] = Text("Entropy lost in the QI", "準識別子の情報量損失")
    sentence: ClassVar[Text] = Text(
        "How much of the information in the quasi-identifiers is gone.",
        "準識別子の情報量がどれだけ失われたかを示します。",
    )
    formula: ClassVar[str] = "mean_j Σ log₂(p(cell) / p(x)) / Σ log₂(1 / p(x))"
    says: ClassVar[Text] = Text(
        "{value} of the information in the quasi-identifiers is gone.",
        "準識別子の情報量の {value} が失われています。",
    )
    limits: ClassVar[Limits] = Limits(0.10, 0.30)
    """As for NCP, counted in bits: 10 % and 30 %."""
    unit: ClassVar[Text] = Text("share of the bits", "ビット数に対する割合")
    from_counts: ClassVar[bool] = False

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = spans_of(case, self.hierarchies)
        losses = [column_loss(column, case.link) for column in columns]
        return Score(float(np.mean(losses)) if losses else 0.0, sample=case.original.rows)


def column_loss(column: ColumnSpans, link: np.ndarray) -> float:
    """Share of the column's bits that the release does not tell."""
    share = np.bincount(column.original, minlength=column.leaves) / len(column.original)
    held = np.array([share[leaves].sum() for leaves in column.spans])
    bits = -np.log2(share[column.original])
    left = bits.copy()
    told = column.hold(column.released, column.original[link])
    hidden = bits[link] + np.log2(np.where(told, held[column.released], 1.0))
    # Sums of shares may exceed their parts in the last bit only: no loss is below 0.
    left[link] = np.maximum(hidden, 0.0)
    total = float(bits.sum())
    return min(float(left.sum()) / total, 1.0) if total else 0.0


@dataclass(frozen=True)
class KlDivergence(ByHierarchies, Unbounded):
    """Σ_t P(t)·ln(P(t)/Q(t)) over the distinct QI tuples t of the original.

    P = their share of the original's rows. Q = what the release shows: every released row is spread
    evenly over the leaves of its cells. If the release rules out a tuple of the original, one
    suppressed row is added to it, so that the figure stays finite.
    """

    name: ClassVar[str] = "kl_divergence"
    title: ClassVar[Text] = Text("KL divergence of the QI", "準識別子分布の KL 情報量")
    sentence: ClassVar[Text] = Text(
        "How far the distribution of the quasi-identifiers is from the original's.",
        "準識別子の分布が元データからどれだけ離れたかを示します。",
    )
    formula: ClassVar[str] = "Σ_t P(t) · ln(P(t) / Q(t))"
    says: ClassVar[Text] = Text(
        "The distribution of the quasi-identifiers is {value} nats away from the original's.",
        "準識別子の分布は、元データから {value} ナット離れています。",
    )
    unit: ClassVar[Text] = Text("nats", "ナット")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = spans_of(case, self.hierarchies)
        if not columns:
            return Score(0.0, sample=1)
        leaves = np.column_stack([column.original for column in columns])
        tuples, counts = _distinct(leaves, case.original_counts)
        shown = shown_counts(columns, tuples, case.released_counts)
        rows, share = case.released_rows, counts / case.original_rows
        if shown.all():
            log = np.log(shown / rows)
        else:
            # In logarithms: the product of many large domains is beyond a float.
            spread = -sum(float(np.log(column.leaves)) for column in columns)
            known = np.log(np.where(shown > 0, shown, 1.0))
            log = np.where(shown > 0, np.logaddexp(known, spread), spread) - np.log(rows + 1)
        return Score(max(float(share @ (np.log(share) - log)), 0.0), sample=len(tuples))


def shown_counts(
    columns: list[ColumnSpans], tuples: np.ndarray, rows: np.ndarray | None = None
) -> np.ndarray:
    """How many released rows, spread over their leaves, fall on each tuple of leaves.

    `rows`: how many each of them stands for.
    """
    spans = np.column_stack([column.released for column in columns])
    released, counts = _distinct(spans, rows)
    finder = _Finder(columns, tuples)
    shown = np.zeros(len(tuples))
    for cells, count in zip(released, counts, strict=True):
        inside = finder.inside(cells)
        if len(inside):
            shown[inside] += count / finder.size(cells)
    return shown


class _Finder:
    """Which tuples lie inside generalized ones; the tuples of a span are looked up once."""

    def __init__(self, columns: list[ColumnSpans], tuples: np.ndarray) -> None:
        self.columns, self.tuples = columns, tuples
        self.wide = [np.array([len(s) for s in c.spans], dtype=np.float64) for c in columns]
        self._by_leaf = [_runs(tuples[:, j], column.leaves) for j, column in enumerate(columns)]
        self._found: dict[tuple[int, int], np.ndarray] = {}

    def inside(self, cells: np.ndarray) -> np.ndarray:
        """The places of the tuples that the cells cover, from the rarest cell on."""
        lists = [self._of_span(j, int(span)) for j, span in enumerate(cells)]
        found = min(lists, key=len)
        for j, span in enumerate(cells):
            if len(lists[j]) < len(self.tuples):
                found = found[self.columns[j].hold(int(span), self.tuples[found, j])]
        return found

    def size(self, cells: np.ndarray) -> float:
        """Over how many combinations of leaves a row is spread."""
        return float(np.prod([self.wide[j][span] for j, span in enumerate(cells)]))

    def _of_span(self, column: int, span: int) -> np.ndarray:
        key = column, span
        if key not in self._found:
            order, starts = self._by_leaf[column]
            leaves = self.columns[column].spans[span]
            sizes = starts[leaves + 1] - starts[leaves]
            # The runs of the leaves, one after the other.
            shift = np.repeat(starts[leaves] - np.cumsum(sizes) + sizes, sizes)
            self._found[key] = order[shift + np.arange(len(shift))]
        return self._found[key]


def _distinct(tuples: np.ndarray, rows: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """The distinct tuples and how many rows each has."""
    found, place = np.unique(tuples, axis=0, return_inverse=True)
    return found, sizes_of(place.reshape(-1), rows)


def _runs(leaves: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """An order of the tuples by leaf, and where the run of every leaf begins and ends."""
    order = np.argsort(leaves, kind="stable")
    return order, np.searchsorted(leaves[order], np.arange(number + 1))
