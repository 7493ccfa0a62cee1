"""pMSE, its ratio and SPECKS: can a model tell released rows from original ones?

A logistic regression learns from all columns whether a row is of the release; p̂ is its chance. If
the two are alike, p̂ is the share c of released rows everywhere (Woo et al. 2009; Snoke et al. 2018;
Bowen, Liu and Su 2021). It sees main effects only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import expit

from tokumei.core.measure import Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cell_spans import Hierarchies
from tokumei.tables.measures.model_features import build_features
from tokumei.tables.measures.protocol import Measure

RIDGE = 1e-6
"""Of the rows: keeps the regression defined where columns determine each other."""
MAX_STEPS = 50


@dataclass(frozen=True)
class PropensityMeasure(Measure):
    """Base of the figures of a model that tells released rows from original ones."""

    needs: ClassVar[tuple[str, ...]] = ("qi",)
    on_request: ClassVar[bool] = True
    as_percent: ClassVar[bool] = False

    hierarchies: Hierarchies = field(default_factory=dict)


@dataclass(frozen=True)
class PropensityError(PropensityMeasure):
    """Mean of (p̂ − c)² over all rows of X and Y."""

    name: ClassVar[str] = "pmse"
    title: ClassVar[Message] = Message("Propensity error (pMSE)")
    sentence: ClassVar[Message] = Message(
        "How well a model tells released rows from original ones; 0 if not at all."
    )
    formula: ClassVar[str] = "mean (p̂ − c)²"
    says: ClassVar[Message] = Message(
        "A model tells released rows from original ones with a propensity error of {value} (0: not "
        "at all, 0.25: always)."
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, 0.25)
    limits: ClassVar[Limits] = Limits(0.01, 0.05)
    unit: ClassVar[Message] = Message("mean squared error")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        chances, is_released, _ = propensities(case, self.hierarchies)
        error = float(((chances - is_released.mean()) ** 2).mean())
        return Score(min(error, 0.25), sample=len(chances))


@dataclass(frozen=True)
class PropensityRatio(PropensityMeasure):
    """pMSE / ((m − 1) · (1 − c)² · c / N); m: coefficients with the intercept, N: all rows."""

    name: ClassVar[str] = "pmse_ratio"
    title: ClassVar[Message] = Message("Propensity error against chance")
    sentence: ClassVar[Message] = Message(
        "The propensity error against that of a second sample of the same people."
    )
    formula: ClassVar[str] = "pMSE / ((m − 1) · (1 − c)² · c / N)"
    says: ClassVar[Message] = Message(
        "The propensity error is {value} times that of a second sample of the same people."
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    for_experts: ClassVar[bool] = True
    unit: ClassVar[Message] = Message("times chance")

    def score(self, case: Comparison) -> Score:
        """The figure; 0 where nothing differs between rows."""
        chances, is_released, coefficients = propensities(case, self.hierarchies)
        share, rows = float(is_released.mean()), len(chances)
        expected = coefficients * (1 - share) ** 2 * share / rows
        error = float(((chances - share) ** 2).mean())
        return Score(error / expected if expected > 0 else 0.0, sample=rows)


@dataclass(frozen=True)
class Specks(PropensityMeasure):
    """max_t |F_X(t) − F_Y(t)|, F the distributions of p̂ among the rows of X and of Y."""

    name: ClassVar[str] = "specks"
    title: ClassVar[Message] = Message("Separation of the propensities (SPECKS)")
    sentence: ClassVar[Message] = Message(
        "How far apart a model puts released rows and original ones."
    )
    formula: ClassVar[str] = "max_t |F_X(t) − F_Y(t)|"
    says: ClassVar[Message] = Message(
        "A model puts released and original rows {value} apart (0: not at all, 1: wholly)."
    )
    limits: ClassVar[Limits] = Limits(0.10, 0.30)
    unit: ClassVar[Message] = Message("distance from 0 to 1")

    def score(self, case: Comparison) -> Score:
        """The figure; chances that agree to 9 digits are a tie."""
        chances, is_released, _ = propensities(case, self.hierarchies)
        rounded = np.round(chances, 9)
        before, after = (np.sort(rounded[is_released == side]) for side in (0, 1))
        points = np.unique(rounded)
        shares = (np.searchsorted(side, points, "right") / len(side) for side in (before, after))
        first, second = shares
        return Score(float(np.abs(first - second).max()), sample=len(chances))


def propensities(case: Comparison, hierarchies: Hierarchies) -> tuple[np.ndarray, np.ndarray, int]:
    """p̂ of every original and released row, which are released, and how many coefficients."""
    features = build_features(case, hierarchies)
    rows = np.vstack([features.original, features.released])
    is_released = np.repeat([0.0, 1.0], [len(features.original), len(features.released)])
    if not rows.shape[1]:
        return np.full(len(rows), is_released.mean()), is_released, 0
    return fit_logistic(rows, is_released), is_released, rows.shape[1]


def fit_logistic(features: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The chances that a logistic regression with an intercept gives (Newton, a tiny ridge)."""
    rows = np.column_stack([np.ones(len(features)), features])
    penalty = RIDGE * len(rows) * np.eye(rows.shape[1])
    weights = np.zeros(rows.shape[1])
    loss = np.inf
    for _ in range(MAX_STEPS):
        scores = rows @ weights
        chances = expit(scores)
        new_loss = float((np.logaddexp(0, scores) - target * scores).sum())
        new_loss += float(weights @ penalty @ weights) / 2
        if loss - new_loss < 1e-10 * len(rows):
            break
        loss = new_loss
        gradient = rows.T @ (chances - target) + penalty @ weights
        curvature = (rows * (chances * (1 - chances))[:, None]).T @ rows + penalty
        weights = weights - np.linalg.solve(curvature, gradient)
    return np.asarray(expit(rows @ weights))
