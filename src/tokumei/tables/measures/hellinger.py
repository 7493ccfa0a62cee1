"""Hellinger distance of the columns' distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import ColumnSpans, build_column_spans
from tokumei.tables.measures.cell_width import HierarchyMeasure


@dataclass(frozen=True)
class Hellinger(HierarchyMeasure):
    """Mean over QI of √(1 − Σ_v √(p_v · q_v)).

    p = share of a value in the original; q = its share in the release, where every generalized cell
    counts in equal parts for its leaves. Deleted rows count nowhere.
    """

    name: ClassVar[str] = "hellinger"
    title: ClassVar[Message] = Message("Hellinger distance of the columns")
    sentence: ClassVar[Message] = Message(
        "How far the distribution of each quasi-identifier is from the original's."
    )
    formula: ClassVar[str] = "mean_j √(1 − Σ_v √(p_v · q_v))"
    says: ClassVar[Message] = Message(
        "The distributions of the quasi-identifiers are {value} apart (0: the same, 1: nothing in "
        "common)."
    )
    limits: ClassVar[Limits] = Limits(0.05, 0.20)
    unit: ClassVar[Message] = Message("distance from 0 to 1")
    as_percent: ClassVar[bool] = False

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = build_column_spans(case, self.hierarchies)
        distances = [
            hellinger_distance(
                _original_shares(column, case.original_counts),
                released_shares(column, case.released_counts),
            )
            for column in columns
        ]
        return Score(float(np.mean(distances)) if distances else 0.0, sample=case.released_rows)


def hellinger_distance(first: np.ndarray, second: np.ndarray) -> float:
    """The distance of two distributions over the same values."""
    return float(np.sqrt(max(1.0 - float(np.sqrt(first * second).sum()), 0.0)))


def released_shares(column: ColumnSpans, counts: np.ndarray | None) -> np.ndarray:
    """The share of every leaf in the release, generalized cells spread evenly over theirs."""
    span_rows = np.bincount(column.released, counts, minlength=len(column.spans))
    shares = np.zeros(column.leaves)
    for leaves, rows in zip(column.spans, span_rows, strict=True):
        if len(leaves):
            shares[leaves] += rows / len(leaves)
    return shares / max(float(shares.sum()), 1e-300)


def _original_shares(column: ColumnSpans, counts: np.ndarray | None) -> np.ndarray:
    rows = np.bincount(column.original, counts, minlength=column.leaves)
    return np.asarray(rows / rows.sum())
