"""Is my regression still right? How far the confidence intervals of its coefficients overlap.

score = RegressionOverlap("income ~ age + sex").score(case)

The same linear regression is fitted to the original and to the release (least squares); the target
is a sensitive number, the columns behind `~` are quasi-identifiers (all without any). The overlap
of two 95 % intervals is their common part, as the mean share of both (Karr et al. 2006).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.measure import Goal, Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.measures.cell_spans import Hierarchies
from tokumei.tables.measures.model_features import build_features
from tokumei.tables.measures.protocol import Measure

NORMAL_95 = 1.959963984540054


class Intervals(NamedTuple):
    """The ends of the coefficients' 95 % intervals, the intercept left out."""

    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class RegressionOverlap(Measure):
    """Mean over coefficients of ½ (common / width in X + common / width in Y)."""

    name: ClassVar[str] = "regression"
    title: ClassVar[Message] = Message("Overlap of regression coefficients")
    sentence: ClassVar[Message] = Message(
        "How far the confidence intervals of a regression on the release overlap the original's."
    )
    formula: ClassVar[str] = "mean_coefficients ½ (common / width_X + common / width_Y)"
    says: ClassVar[Message] = Message(
        "The 95 % intervals of the regression coefficients overlap by {value} on average."
    )
    unchanged: ClassVar[Message] = Message("No interval of a coefficient overlaps the original's.")
    needs: ClassVar[tuple[str, ...]] = ("qi", "sa")
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    limits: ClassVar[Limits] = Limits(0.8, 0.5, more_is_better=True)
    unit: ClassVar[Message] = Message("share")
    on_request: ClassVar[bool] = True

    model: str
    hierarchies: Hierarchies = field(default_factory=dict)

    def score(self, case: Comparison) -> Score:
        """The figure; rows whose target is missing are left out."""
        target, names = self._parse_model(case)
        features = build_features(case, self.hierarchies, names=names)
        column = case.number_sa.index(target)
        sides = (
            (features.original, case.sa_original[:, column]),
            (features.released, case.sa_released[:, column]),
        )
        before, after = (fit_intervals(rows, values) for rows, values in sides)
        overlaps = interval_overlaps(before, after)
        return Score(float(overlaps.mean()) if len(overlaps) else 1.0, sample=len(overlaps))

    def _parse_model(self, case: Comparison) -> tuple[str, list[str]]:
        """The target, and the columns that explain it."""
        target, tilde, rest = (part.strip() for part in self.model.partition("~"))
        names = [name.strip() for name in rest.split("+") if name.strip()] or case.qi
        if not tilde:
            raise UsageError(
                "write the model like 'income ~ age + sex', not '{model}'", model=self.model
            )
        if target not in case.number_sa:
            raise UnknownNameError(COLUMN_NOUN, target, case.number_sa, where=self.name)
        for name in names:
            if name not in case.qi:
                raise UnknownNameError(COLUMN_NOUN, name, case.qi, where=self.name)
        return target, names


def fit_intervals(features: np.ndarray, target: np.ndarray) -> Intervals:
    """The 95 % intervals of the slopes of a least-squares fit with an intercept.

    A column that others determine shares their coefficient (least norm).
    """
    is_known = ~np.isnan(target)
    rows = np.column_stack([np.ones(int(is_known.sum())), features[is_known]])
    inverse = np.linalg.pinv(rows.T @ rows, hermitian=True)
    slopes = inverse @ rows.T @ target[is_known]
    freedom = max(len(rows) - int(np.linalg.matrix_rank(rows)), 1)
    variance = float(((target[is_known] - rows @ slopes) ** 2).sum()) / freedom
    errors = NORMAL_95 * np.sqrt(np.maximum(variance * np.diag(inverse), 0.0))
    return Intervals((slopes - errors)[1:], (slopes + errors)[1:])


def interval_overlaps(before: Intervals, after: Intervals) -> np.ndarray:
    """Of every pair of intervals the mean share of both that is common; equal points: 1."""
    common = np.minimum(before.high, after.high) - np.maximum(before.low, after.low)
    common = np.maximum(common, 0.0)
    shares = []
    for interval in (before, after):
        width = interval.high - interval.low
        is_inside = (before.low <= after.high) & (after.low <= before.high)
        shares.append(np.where(width > 0, common / np.where(width > 0, width, 1.0), is_inside))
    return np.asarray((shares[0] + shares[1]) / 2)
