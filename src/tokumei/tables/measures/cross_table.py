"""U2 crossMean and U3 crossCnt: change of the cells of the cross table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.column_encoding import joint_codes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numeric_columns import require_finite, scale_for_sums
from tokumei.tables.data.weighted_rows import count_class_rows
from tokumei.tables.measures.moments import MeanError, max_sum_terms
from tokumei.tables.measures.protocol import UnboundedMeasure, score_context
from tokumei.tables.measures.sensitive_values import total_variation_distances, value_shares


def cross_cells(case: Comparison) -> tuple[np.ndarray, np.ndarray, int]:
    """Cell number of every original and released row, and how many cells there are."""
    left, right = joint_codes(case.original.frame, case.released.frame, case.cross)
    number = int(max(left.max(initial=-1), right.max(initial=-1))) + 1
    return left, right, number


Cells = Literal["either", "release"]


def counted_cells(released_cells: np.ndarray, number: int, cells: Cells) -> np.ndarray:
    """Which cells a mean is taken over: all of either side, or those that the release has."""
    if cells == "either":
        return np.ones(number, dtype=np.bool_)
    return np.bincount(released_cells, minlength=number) > 0


def cell_means(
    cells: np.ndarray, values: np.ndarray, number: int, counts: np.ndarray | None = None
) -> np.ndarray:
    """Mean of a column per cell, 0 for an empty cell; NaN values are left out.

    Row i counts `counts[i]` times.
    """
    is_known = ~np.isnan(values)
    weights = None if counts is None else counts[is_known]
    weighted = values[is_known] if weights is None else values[is_known] * weights
    sums = np.bincount(cells[is_known], weights=weighted, minlength=number)
    means: np.ndarray = sums / np.maximum(
        count_class_rows(cells[is_known], weights, classes=number), 1
    )
    return means


@dataclass(frozen=True)
class CrossMean(MeanError):
    """Mean over cells of either side and SA of |mean in X − mean in Y|, a missing cell as 0.

    Of a text half the L1 distance of frequencies; values that are missing on either side are out.
    The limits are those of the means of whole columns: 1 % and 5 % of their level. With `cells`
    "release" the mean is taken over the cells of the release alone, so that a cell it lost counts
    nothing.
    """

    name: ClassVar[str] = "U2"
    title: ClassVar[Message] = Message("Error of cross-table means")
    sentence: ClassVar[Message] = Message(
        "How far the means in the cells of the cross table have moved."
    )
    formula: ClassVar[str] = "mean_cells,j |mean_cell(X_j) − mean_cell(Y_j)|"
    says: ClassVar[Message] = Message(
        "In the cross table, cell means move by {value} on average{relative}."
    )
    unchanged: ClassVar[Message] = Message("The cross table's means are unchanged.")
    relative: ClassVar[Message] = Message("the overall level")
    heading: ClassVar[Message] = Message("Cross means")
    needs: ClassVar[tuple[str, ...]] = ("qi", "sa")

    cells: Cells = "either"

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa:
            return Score(0.0)
        left, right, number = cross_cells(case)
        counted = counted_cells(right, number, self.cells)
        (before, after), unit = scale_for_sums(*case.sa_pairs, terms=max_sum_terms(case))
        errors = [
            np.abs(
                cell_means(left, x, number, case.original_counts)
                - cell_means(right, y, number, case.released_counts)
            )[counted].mean()
            for x, y in zip(before.T, after.T, strict=True)
        ]
        errors += [
            total_variation_distances(*value_shares(case, name), (left, right), number)[
                counted
            ].mean()
            / unit
            for name in case.text_sa
        ]
        value = require_finite(float(np.mean(errors)) * unit, self.name)
        return Score(value, sample=int(counted.sum()), **score_context(case))


@dataclass(frozen=True)
class CrossCount(UnboundedMeasure):
    """Mean over the cells of either side of |count in X − count in Y|.

    With `cells` "release" it is the mean over the cells of the release alone.
    """

    name: ClassVar[str] = "U3"
    title: ClassVar[Message] = Message("Error of cross-table counts")
    sentence: ClassVar[Message] = Message(
        "How far the counts in the cells of the cross table have moved."
    )
    formula: ClassVar[str] = "mean_cells |count_cell(X) − count_cell(Y)|"
    says: ClassVar[Message] = Message(
        "In the cross table, cell counts move by {value} rows on average{relative}."
    )
    unchanged: ClassVar[Message] = Message("The cross table's counts are unchanged.")
    relative: ClassVar[Message] = Message("the mean count")
    heading: ClassVar[Message] = Message("Cross counts")
    limits: ClassVar[Limits] = Limits(0.01, 0.05)
    """As for means: 1 % and 5 % of the level, here rows per cell."""
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    unit: ClassVar[Message] = Message("rows")

    cells: Cells = "either"

    def score(self, case: Comparison) -> Score:
        """The figure."""
        left, right, number = cross_cells(case)
        before = count_class_rows(left, case.original_counts, classes=number)
        moved = before - count_class_rows(right, case.released_counts, classes=number)
        counted = counted_cells(right, number, self.cells)
        return Score(float(np.abs(moved)[counted].mean()), sample=int(counted.sum()))

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """Rows per cell."""
        return case.original.rows / score.sample if score.sample else None
