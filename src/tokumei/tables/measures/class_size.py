"""S1, S2, DM and C_avg: sizes of the equivalence classes, as safety and as loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import SUPPRESSED_CELL, equivalence_class_codes
from tokumei.core.measure import Goal, Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.weighted_rows import count_class_rows
from tokumei.tables.measures.protocol import UnboundedMeasure

SINGLE_ROW = Message(
    "At least one row is the only one with its combination of quasi-identifiers (k = 1)."
)


@dataclass(frozen=True)
class SmallestClass(UnboundedMeasure):
    """The k of the release: how many rows share the rarest QI vector."""

    name: ClassVar[str] = "S1"
    title: ClassVar[Message] = Message("Smallest class (k)")
    sentence: ClassVar[Message] = Message(
        "How many rows share the rarest combination of quasi-identifiers (k)."
    )
    formula: ClassVar[str] = "min |class|"
    says: ClassVar[Message] = Message(
        "Every combination of quasi-identifiers is shared by at least {value} rows (k = {value})."
    )
    heading: ClassVar[Message] = Message("Smallest class")
    caption: ClassVar[Message] = Message("rows in the smallest class (k)")
    limits: ClassVar[Limits] = Limits(5, 2, more_is_better=True)
    """k = 5 is the customary minimum; k = 1 means that somebody is alone."""
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    safety: ClassVar[bool] = True
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Message] = Message("rows")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        sizes = released_class_sizes(case)
        return Score(float(sizes.min(initial=case.released_rows)), sample=len(sizes))

    @classmethod
    def reading(cls, score: Score, scale: float | None = None) -> Message:
        """The figure in words; a class of one row is somebody alone."""
        return SINGLE_ROW if score.value < 2 else super().reading(score, scale)


@dataclass(frozen=True)
class MeanClass(UnboundedMeasure):
    """Rows per QI class: rows / classes."""

    name: ClassVar[str] = "S2"
    title: ClassVar[Message] = Message("Mean class size")
    sentence: ClassVar[Message] = Message(
        "How many rows share a combination of quasi-identifiers on average."
    )
    formula: ClassVar[str] = "|Y| / classes"
    says: ClassVar[Message] = Message(
        "On average {value} rows share a combination of quasi-identifiers."
    )
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    safety: ClassVar[bool] = True
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Message] = Message("rows")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        sizes = released_class_sizes(case)
        return Score(case.released_rows / max(len(sizes), 1), sample=len(sizes))


def released_class_sizes(case: Comparison) -> np.ndarray:
    """The size of every QI class of the release."""
    return count_class_rows(
        equivalence_class_codes(case.released.frame, case.qi), case.released_counts
    )


@dataclass(frozen=True)
class Discernibility(UnboundedMeasure):
    """DM = Σ |class|², and N per suppressed row (all QI `*`, or deleted)."""

    name: ClassVar[str] = "dm"
    title: ClassVar[Message] = Message("Discernibility")
    sentence: ClassVar[Message] = Message("How many pairs of rows can no longer be told apart.")
    formula: ClassVar[str] = "Σ |class|² + |X| · suppressed"
    says: ClassVar[Message] = Message(
        "{value} pairs of rows cannot be told apart (discernibility)."
    )
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    for_experts: ClassVar[bool] = True
    unit: ClassVar[Message] = Message("pairs of rows")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        hidden = suppressed_rows(case)
        counts = case.released_counts
        codes = equivalence_class_codes(case.released.frame, case.qi)[~hidden]
        sizes = count_class_rows(codes, None if counts is None else counts[~hidden])
        suppressed = case.original_rows - int(sizes.sum())
        return Score(float((sizes.astype(np.float64) ** 2).sum() + suppressed * case.original_rows))


@dataclass(frozen=True)
class AverageClass(UnboundedMeasure):
    """C_avg = N / (classes · k); k is the smallest class of the release unless given."""

    name: ClassVar[str] = "c_avg"
    title: ClassVar[Message] = Message("Normalized class size")
    sentence: ClassVar[Message] = Message("How much larger the classes are than they need to be.")
    formula: ClassVar[str] = "|Y| / (classes · k)"
    says: ClassVar[Message] = Message(
        "On average, classes are {value} times as large as they need to be."
    )
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    for_experts: ClassVar[bool] = True
    unit: ClassVar[Message] = Message("times k")

    k: int | None = None

    def score(self, case: Comparison) -> Score:
        """The figure."""
        sizes = released_class_sizes(case)
        k = self.k or (int(sizes.min()) if len(sizes) else 1)
        return Score(case.released_rows / max(len(sizes) * k, 1), sample=len(sizes))


def suppressed_rows(case: Comparison) -> np.ndarray:
    """Which released rows have `*` in every QI."""
    if not case.qi:
        return np.zeros(case.released.rows, dtype=bool)
    stars = pl.all_horizontal(
        (pl.col(name).cast(pl.String) == SUPPRESSED_CELL).fill_null(False) for name in case.qi
    )
    return case.released.frame.select(stars.alias("star"))["star"].to_numpy()
