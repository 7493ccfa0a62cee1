"""Ambiguity: how many combinations of values a released row may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import build_column_spans
from tokumei.tables.measures.cell_width import HierarchyMeasure


@dataclass(frozen=True)
class Ambiguity(HierarchyMeasure):
    """Mean over the original's rows of Π_j (leaves of the cell); a deleted row is all leaves.

    The sum over all rows is ARX's Ambiguity (after Nergiz and Clifton 2007).
    """

    name: ClassVar[str] = "ambiguity"
    title: ClassVar[Message] = Message("Ambiguity of a row")
    sentence: ClassVar[Message] = Message(
        "How many combinations of quasi-identifiers a released row may stand for."
    )
    formula: ClassVar[str] = "mean_rows Π_j leaves(cell)"
    says: ClassVar[Message] = Message(
        "A row may stand for {value} combinations of quasi-identifiers on average."
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    as_percent: ClassVar[bool] = False
    for_experts: ClassVar[bool] = True
    unit: ClassVar[Message] = Message("combinations")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        columns = build_column_spans(case, self.hierarchies)
        combinations = np.ones(case.released.rows)
        for column in columns:
            widths = np.array([max(len(leaves), 1) for leaves in column.spans], dtype=np.float64)
            combinations *= widths[column.released]
        counts = 1 if case.released_counts is None else case.released_counts
        deleted = case.original_rows - case.released_rows
        whole = float(np.prod([float(column.leaves) for column in columns]))
        total = float((combinations * counts).sum()) + deleted * whole
        return Score(total / case.original_rows, sample=case.original_rows)
