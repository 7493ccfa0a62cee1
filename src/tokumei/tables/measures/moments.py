"""U1 meanMAE and U4 corMAE: change of means and correlations of the sensitive columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numeric_columns import require_finite, scale_for_sums
from tokumei.tables.measures.protocol import Measure, UnboundedMeasure, score_context
from tokumei.tables.measures.sensitive_values import (
    condensed_associations,
    means_ignoring_nan,
    total_variation_distances,
    value_shares,
)


def max_sum_terms(case: Comparison) -> int:
    """How many numbers a sum over rows, over cells of a cross table or over columns has at most."""
    return case.original_rows + case.released_rows + len(case.sa)


@dataclass(frozen=True)
class MeanError(UnboundedMeasure):
    """Mean over SA j of |mean(X_j) − mean(Y_j)|; of a text half the L1 distance of frequencies.

    Suppressed cells are left out of the mean, and so are cells that are missing on either side; a
    column without any other cell has mean 0.
    """

    name: ClassVar[str] = "U1"
    title: ClassVar[Message] = Message("Error of the means")
    sentence: ClassVar[Message] = Message("How far the means of the sensitive columns have moved.")
    formula: ClassVar[str] = "mean_j |mean(X_j) − mean(Y_j)|"
    says: ClassVar[Message] = Message(
        "The means of the sensitive columns move by {value} on average{relative}."
    )
    unchanged: ClassVar[Message] = Message("The means of the sensitive columns are unchanged.")
    relative: ClassVar[Message] = Message("their level")
    of_texts: ClassVar[Message] = Message(
        "Of text it is half the sum of the differences of frequencies."
    )
    heading: ClassVar[Message] = Message("Means")
    limits: ClassVar[Limits] = Limits(0.01, 0.05)
    """1 % and 5 % of the mean level; 5 % is also where diagnosis says ×."""
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    unit: ClassVar[Message] = Message("the column's unit")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa:
            return Score(0.0)
        (before, after), unit = scale_for_sums(*case.sa_pairs, terms=max_sum_terms(case))
        moved = means_ignoring_nan(before, case.original_counts)
        moved = np.abs(moved - means_ignoring_nan(after, case.released_counts))
        single_cell = (
            np.zeros(case.original.rows, np.int64),
            np.zeros(case.released.rows, np.int64),
        )
        text_distances = [
            total_variation_distances(*value_shares(case, name), single_cell, 1)[0]
            for name in case.text_sa
        ]
        value = require_finite(
            float(np.append(moved, np.array(text_distances) / unit).mean()) * unit, self.name
        )
        return Score(value, sample=case.released_rows, **score_context(case))

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """The mean size of the means of the sensitive columns, of a text 1; None without any."""
        (values,), unit = scale_for_sums(case.sa_original, terms=max_sum_terms(case))
        means = np.abs(means_ignoring_nan(values))
        levels = np.append(means, np.ones(len(case.text_sa)) / unit)
        return float(levels.mean()) * unit or None if case.sa else None


@dataclass(frozen=True)
class Correlation(Measure):
    """Mean over SA pairs i<j of |cor(X_i,X_j) − cor(Y_i,Y_j)|; a constant column has cor 0.

    Of two texts Cramér's V, of a text and a number the correlation ratio; over the rows with both.
    """

    name: ClassVar[str] = "U4"
    title: ClassVar[Message] = Message("Error of the correlations")
    sentence: ClassVar[Message] = Message(
        "How far the correlations between sensitive columns have moved."
    )
    formula: ClassVar[str] = "mean_i<j |cor(X_i, X_j) − cor(Y_i, Y_j)|"
    says: ClassVar[Message] = Message(
        "Correlations between sensitive columns change by {value} on average (1 is the most)."
    )
    unchanged: ClassVar[Message] = Message("Correlations between sensitive columns are unchanged.")
    of_texts: ClassVar[Message] = Message(
        "Between texts it is Cramér's V, between text and number the correlation ratio."
    )
    heading: ClassVar[Message] = Message("Correlations")
    limits: ClassVar[Limits] = Limits(0.05, 0.15)
    """A move by .05 seldom changes a conclusion, one by .15 often does."""
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    as_percent: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)
    unit: ClassVar[Message] = Message("correlation")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if len(case.sa) < 2:
            return Score(0.0)
        names, numbers = case.sa, case.number_sa
        before = condensed_associations(case.original, names, numbers, case.original_counts)
        after = condensed_associations(case.released, names, numbers, case.released_counts)
        value = float(np.abs(before - after).mean())
        return Score(value, sample=len(before), **score_context(case))
