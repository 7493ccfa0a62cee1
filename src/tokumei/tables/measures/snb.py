"""Slide negative binomial (Chen and Keller-McNulty 1998): class sizes are 1 + a negative binomial.

P(F = 1 + x) = C(x + α − 1, x)·βˣ·(1 − β)^α over K classes, of which a sample takes every row with
chance π = n/N. α and β make the expected numbers of sample classes and sample uniques those of the
sample; K = N/E(F). The population has K·(1 − β)^α uniques.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from tokumei.tables.measures.sample_classes import Estimate, SampleClasses, require_population

LOG_ALPHA = 40.0
LOGITS = np.linspace(-12, 14, 53)
"""Where β is sought, as ln(β/(1 − β))."""


def snb(sample: SampleClasses, population: int) -> Estimate:
    """Population uniques of the model; no solution for β says so (not converged, NaN)."""
    require_population(sample, population)
    task = _Task(sample.rows / population, sample.classes / population)
    wanted = sample.of_size(1) / population

    def surplus(logit: float) -> float:
        alpha = task.alpha(float(expit(logit)))
        model = _Model(alpha, float(expit(logit)), task.fraction)
        return model.seen_once / model.mean - wanted

    logit = _root(surplus)
    if logit is None:
        return Estimate("snb", np.nan, converged=False)
    beta = float(expit(logit))
    model = _Model(task.alpha(beta), beta, task.fraction)
    found = population / model.mean * (1 - beta) ** model.alpha
    return Estimate(
        "snb", float(found), converged=True, parameters={"alpha": model.alpha, "beta": beta}
    )


def _root(surplus: Callable[[float], float]) -> float | None:
    """The first change of sign between neighbouring places that have a value."""
    found = [(float(x), surplus(float(x))) for x in LOGITS]
    for (left, below), (right, above) in pairwise(found):
        if np.isfinite(below) and np.isfinite(above) and below * above <= 0:
            return float(brentq(surplus, left, right, xtol=1e-12))
    return None


@dataclass(frozen=True)
class _Model:
    alpha: float
    beta: float
    fraction: float

    @property
    def mean(self) -> float:
        """E(F), rows per population class."""
        return 1 + self.alpha * self.beta / (1 - self.beta)

    @property
    def unseen(self) -> float:
        """P(f = 0)."""
        return (1 - self.fraction) * self._shrunk

    @property
    def seen_once(self) -> float:
        """P(f = 1)."""
        left = self.beta * (1 - self.fraction)
        return self.fraction * self._shrunk * (1 + self.alpha * left / (1 - left))

    @property
    def _shrunk(self) -> float:
        """E((1 − π)^(F−1))."""
        return float(((1 - self.beta) / (1 - self.beta * (1 - self.fraction))) ** self.alpha)


@dataclass(frozen=True)
class _Task:
    fraction: float
    classes: float

    def alpha(self, beta: float) -> float:
        """The α that gives the sample's number of classes at this β; NaN if there is none."""

        def surplus(log: float) -> float:
            model = _Model(float(np.exp(log)), beta, self.fraction)
            return (1 - model.unseen) / model.mean - self.classes

        if surplus(-LOG_ALPHA) < 0 or surplus(LOG_ALPHA) > 0:
            return np.nan
        return float(np.exp(brentq(surplus, -LOG_ALPHA, LOG_ALPHA, xtol=1e-12)))
