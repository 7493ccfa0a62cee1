"""Population uniques from samples that are a large part: Zayatz, and slide negative binomial.

Zayatz (1991) asks how likely a sample unique is a population unique, by Bayes' rule.

Slide negative binomial (Chen and Keller-McNulty 1998): class sizes are 1 + a negative binomial,
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
from scipy.special import expit, gammaln

from tokumei.tables.measures.sample_classes import Estimate, SampleClasses, require_population


def zayatz(sample: SampleClasses, population: int) -> Estimate:
    """S₁ = s₁·(N/n)·P(F = 1 | f = 1).

    P(F = j) is taken from the sample's own class sizes, P(f = 1 | F = j) is hypergeometric. Classes
    look smaller in a sample than they are, so the estimate is mostly too high.
    """
    require_population(sample, population)
    uniques, rows = sample.of_size(1), sample.rows
    if not uniques:
        return Estimate("zayatz", 0.0, converged=True)
    seen_once = sample.counts * _seen_once(sample.sizes, rows, population)
    chance = seen_once[0] / seen_once.sum()
    found = uniques * population / rows * chance
    return Estimate("zayatz", float(found), converged=True, parameters={"chance": float(chance)})


def _seen_once(sizes: np.ndarray, rows: int, population: int) -> np.ndarray:
    """P(one row of a class of this size is in the sample): j·C(N−j, n−1)/C(N, n)."""
    possible = population - sizes >= rows - 1
    others = np.where(possible, population - sizes, rows - 1).astype(float)
    log = _log_choose(others, rows - 1.0) - _log_choose(np.array(float(population)), float(rows))
    return np.where(possible, sizes * np.exp(log), 0.0)


def _log_choose(whole: np.ndarray, part: float) -> np.ndarray:
    return np.asarray(gammaln(whole + 1) - gammaln(part + 1) - gammaln(whole - part + 1))


LOG_ALPHA = 40.0
LOGITS = np.linspace(-12, 14, 53)
"""Where β is sought, as ln(β/(1 − β))."""


def snb(sample: SampleClasses, population: int) -> Estimate:
    """Population uniques of the model; no solution for β says so (not converged, NaN)."""
    require_population(sample, population)
    fraction, classes = sample.rows / population, sample.classes / population
    wanted = sample.of_size(1) / population

    def fitted(logit: float) -> _Model:
        beta = float(expit(logit))
        return _Model(_alpha(beta, fraction, classes), beta, fraction)

    def surplus(logit: float) -> float:
        model = fitted(logit)
        return model.seen_once / model.mean - wanted

    logit = _root(surplus)
    if logit is None:
        return Estimate("snb", np.nan, converged=False)
    model = fitted(logit)
    found = population / model.mean * (1 - model.beta) ** model.alpha
    parameters = {"alpha": model.alpha, "beta": model.beta}
    return Estimate("snb", float(found), converged=True, parameters=parameters)


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


def _alpha(beta: float, fraction: float, classes: float) -> float:
    """The α that gives the sample's number of classes at this β; NaN if there is none."""

    def surplus(log: float) -> float:
        model = _Model(float(np.exp(log)), beta, fraction)
        return (1 - model.unseen) / model.mean - classes

    if surplus(-LOG_ALPHA) < 0 or surplus(LOG_ALPHA) > 0:
        return np.nan
    return float(np.exp(brentq(surplus, -LOG_ALPHA, LOG_ALPHA, xtol=1e-12)))
