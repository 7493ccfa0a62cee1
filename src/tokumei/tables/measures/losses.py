"""U5 IL and U6 nrow: distance of sensitive values from the original, and rows lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.measure import ROWS_KEPT_LIMITS, Goal, Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numeric_columns import missing_mask, scale_for_distances
from tokumei.tables.measures.protocol import Measure, UnboundedMeasure, score_context


@dataclass(frozen=True)
class InformationLoss(Measure):
    """Mean over surviving rows and SA of |x − y| / (max_j − min_j of X); of text, of what changed.

    A constant column of X contributes 0 where it is kept and 1 where not; a suppressed cell 1.
    Cells that are missing on either side are left out.
    """

    name: ClassVar[str] = "U5"
    compares_linked_rows: ClassVar[bool] = True
    title: ClassVar[Message] = Message("Information loss per cell")
    sentence: ClassVar[Message] = Message(
        "How far sensitive values are from the original's, as a share of their column's range."
    )
    formula: ClassVar[str] = "mean_rows,j |x − y| / (max X_j − min X_j)"
    says: ClassVar[Message] = Message(
        "A sensitive value moves by {value} of its column's range on average."
    )
    unchanged: ClassVar[Message] = Message("No sensitive value is changed.")
    of_texts: ClassVar[Message] = Message("Of text it is the share of cells that changed.")
    heading: ClassVar[Message] = Message("Sensitive values moved")
    caption: ClassVar[Message] = Message("of its range is how far a value moves on average")
    limits: ClassVar[Limits] = Limits(0.02, 0.10)
    """2 % and 10 % of a column's range."""
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Message] = Message("share of the column's range")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa or not case.released.rows:
            return Score(0.0)
        losses = cell_losses(case)
        known_losses = losses[~np.isnan(losses)]
        is_complete = known_losses.size == losses.size
        value = float(
            losses.mean() if is_complete else known_losses.sum() / max(known_losses.size, 1)
        )
        return Score(value, sample=case.released.rows, **score_context(case))


def cell_losses(case: Comparison) -> np.ndarray:
    """The loss of every released SA cell, numbers first; NaN where either side is missing."""
    numbers, texts = _number_losses(case), []
    for name in case.text_sa:
        before, after = (
            canonicalize_column(table.frame[name]) for table in (case.original, case.released)
        )
        changed = before.gather(case.link) != after
        texts.append(changed.cast(pl.Float64).fill_null(np.nan).to_numpy())
    return np.column_stack([numbers, *texts]) if texts else numbers


def _number_losses(case: Comparison) -> np.ndarray:
    before, after = (
        missing_mask(table.frame, case.number_sa) for table in (case.original, case.released)
    )
    original, released = scale_for_distances(case.sa_original, case.sa_released)
    known = np.where(before, np.nan, original)
    spread = np.nanmax(known, axis=0) - np.nanmin(known, axis=0)
    moved = np.abs(original[case.link] - released)
    # The mean of equal values may differ from them in the last bit; that is no loss.
    flat = np.where(moved > 1e-12 * np.abs(original[case.link]), 1.0, 0.0)
    loss = np.where(spread > 0, moved / np.where(spread > 0, spread, 1.0), flat)
    loss = np.where(np.isnan(released), 1.0, loss)
    return np.where(before[case.link] | after, np.nan, loss)


@dataclass(frozen=True)
class RowsLost(UnboundedMeasure):
    """|X| − |Y|."""

    name: ClassVar[str] = "U6"
    title: ClassVar[Message] = Message("Rows deleted")
    sentence: ClassVar[Message] = Message("How many rows were deleted.")
    formula: ClassVar[str] = "|X| − |Y|"
    says: ClassVar[Message] = Message("{value} rows were deleted{relative}.")
    unchanged: ClassVar[Message] = Message("No row was deleted.")
    relative: ClassVar[Message] = Message("the original")
    limits: ClassVar[Limits] = Limits(0.01, 0.10)
    """The other side of the rows kept: 1 % and 10 % of all rows."""
    unit: ClassVar[Message] = Message("rows")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(float(case.original_rows - case.released_rows), sample=case.original_rows)

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """The rows of the original."""
        return float(case.original.rows)


@dataclass(frozen=True)
class RowsKept(Measure):
    """|Y| / |X|: stands beside every loss, because a loss over few rows is easily small."""

    name: ClassVar[str] = "rows_kept"
    title: ClassVar[Message] = Message("Share of rows kept")
    sentence: ClassVar[Message] = Message("The share of rows that are still there.")
    formula: ClassVar[str] = "|Y| / |X|"
    says: ClassVar[Message] = Message("{value} of the rows are kept.")
    heading: ClassVar[Message] = Message("Rows kept")
    caption: ClassVar[Message] = Message("of the rows are kept")
    limits: ClassVar[Limits] = ROWS_KEPT_LIMITS
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Message] = Message("share")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(case.released_rows / case.original_rows, sample=case.original_rows)
