"""IL1s, SSE and eigenvalue loss: what is left of sensitive numbers and how they hang together.

As in sdcMicro's `dUtility` (IL1s there is the sum over all cells, here the mean). Cells that are
missing or suppressed on either side are left out, as are columns that are constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class NumberMeasure(Measure):
    """Base of the figures of linked numbers."""

    compares_linked_rows: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    for_experts: ClassVar[bool] = True
    on_request: ClassVar[bool] = True


@dataclass(frozen=True)
class Il1s(NumberMeasure):
    """Mean over cells of |x − y| / (√2 · s_j), s_j the original's standard deviation."""

    name: ClassVar[str] = "il1s"
    title: ClassVar[Message] = Message("Scaled difference of numbers (IL1s)")
    sentence: ClassVar[Message] = Message(
        "How far sensitive numbers are from the original's, in standard deviations."
    )
    formula: ClassVar[str] = "mean_rows,j |x − y| / (√2 · s_j)"
    says: ClassVar[Message] = Message(
        "A sensitive number moves by {value} of √2 standard deviations on average."
    )
    unit: ClassVar[Message] = Message("√2 standard deviations")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        differences = _scaled_differences(case)
        value = float(np.abs(differences).mean()) / np.sqrt(2) if len(differences) else 0.0
        return Score(float(value), sample=len(differences))


@dataclass(frozen=True)
class SquaredError(NumberMeasure):
    """Σ (x − y)² / s_j² over Σ (x − mean_j)² / s_j²: the share of the spread that is lost."""

    name: ClassVar[str] = "sse"
    title: ClassVar[Message] = Message("Squared error of numbers (SSE / SST)")
    sentence: ClassVar[Message] = Message(
        "The squared distance of sensitive numbers from the original's, against their spread."
    )
    formula: ClassVar[str] = "Σ ((x − y) / s_j)² / Σ ((x − mean_j) / s_j)²"
    says: ClassVar[Message] = Message(
        "The squared error of sensitive numbers is {value} of their spread."
    )
    unit: ClassVar[Message] = Message("share of the spread")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        differences = _scaled_differences(case)
        spread = sum(len(x) - 1 for x, _, _ in _varying_columns(case))
        return Score(float((differences**2).sum()) / max(spread, 1), sample=len(differences))


@dataclass(frozen=True)
class EigenvalueLoss(NumberMeasure):
    """Σ |λ_i − μ_i| / λ_i; λ, μ: eigenvalues of the correlations of X and of Y, descending."""

    name: ClassVar[str] = "eigenvalues"
    compares_linked_rows: ClassVar[bool] = False
    title: ClassVar[Message] = Message("Change of the eigenvalues")
    sentence: ClassVar[Message] = Message(
        "How much the eigenvalues of the correlations of sensitive numbers change."
    )
    formula: ClassVar[str] = "Σ_i |λ_i(X) − λ_i(Y)| / λ_i(X)"
    says: ClassVar[Message] = Message(
        "The eigenvalues of the correlations change by {value} of themselves, added up."
    )
    unit: ClassVar[Message] = Message("sum of relative changes")

    def score(self, case: Comparison) -> Score:
        """The figure; a column that is constant in the release correlates with nothing."""
        original, released = case.sa_original, case.sa_released
        is_varying = np.array([_spread(column) > 0 for column in original.T], dtype=bool)
        if np.count_nonzero(is_varying) < 2:
            return Score(0.0)
        before, after = (_eigenvalues(numbers[:, is_varying]) for numbers in (original, released))
        is_positive = before > 1e-9
        changes = np.abs(before - after)[is_positive] / before[is_positive]
        # The same rows in another order differ in the last bits only.
        value = float(changes[changes > 1e-12].sum())
        return Score(value, sample=int(np.count_nonzero(is_varying)))


def _varying_columns(case: Comparison) -> list[tuple[np.ndarray, np.ndarray, float]]:
    """Of every column that is not constant, the linked cells of both sides, and the spread."""
    columns = []
    for x, y in zip(case.sa_original.T, case.sa_released.T, strict=True):
        spread = _spread(x)
        linked = x[case.link]
        is_known = ~(np.isnan(linked) | np.isnan(y))
        if spread > 0 and is_known.any():
            columns.append((linked[is_known], y[is_known], spread))
    return columns


def _scaled_differences(case: Comparison) -> np.ndarray:
    differences = [(x - y) / spread for x, y, spread in _varying_columns(case)]
    return np.concatenate([np.zeros(0), *differences])


def _spread(column: np.ndarray) -> float:
    known = column[~np.isnan(column)]
    return float(known.std(ddof=1)) if len(known) > 1 and np.ptp(known) > 0 else 0.0


def _eigenvalues(numbers: np.ndarray) -> np.ndarray:
    """Of the correlations of the rows without a gap, descending."""
    known = numbers[~np.isnan(numbers).any(axis=1)]
    spreads = np.array([_spread(column) for column in known.T])
    centred = (known - known.mean(axis=0)) if len(known) else known
    scaled = np.where(spreads > 0, centred / np.where(spreads > 0, spreads, 1.0), 0.0)
    correlations = scaled.T @ scaled / max(len(known) - 1, 1)
    np.fill_diagonal(correlations, 1.0)
    return np.linalg.eigvalsh(correlations)[::-1]
