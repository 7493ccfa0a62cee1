"""Population uniques from large samples: Zayatz, and slide negative binomial.

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

from tokumei.tables.measures.class_size_counts import (
    ModelEstimate,
    SampleClasses,
    require_population,
)


def zayatz(sample: SampleClasses, population: int) -> ModelEstimate:
    """S₁ = s₁·(N/n)·P(F = 1 | f = 1).

    P(F = j) is taken from the sample's own class sizes, P(f = 1 | F = j) is hypergeometric. Classes
    look smaller in a sample than they are, so the estimate is mostly too high.
    """
    require_population(sample, population)
    uniques, rows = sample.of_size(1), sample.rows
    if not uniques:
        return ModelEstimate("zayatz", 0.0, converged=True)
    seen_once = sample.counts * _chance_seen_once(sample.sizes, rows, population)
    chance = seen_once[0] / seen_once.sum()
    estimate = uniques * population / rows * chance
    return ModelEstimate(
        "zayatz", float(estimate), converged=True, parameters={"chance": float(chance)}
    )


def _chance_seen_once(sizes: np.ndarray, rows: int, population: int) -> np.ndarray:
    """P(one row of a class of this size is in the sample): j·C(N−j, n−1)/C(N, n)."""
    possible = population - sizes >= rows - 1
    others = np.where(possible, population - sizes, rows - 1).astype(float)
    log = _log_choose(others, rows - 1.0) - _log_choose(np.array(float(population)), float(rows))
    return np.where(possible, sizes * np.exp(log), 0.0)


def _log_choose(whole: np.ndarray, part: float) -> np.ndarray:
    return np.asarray(gammaln(whole + 1) - gammaln(part + 1) - gammaln(whole - part + 1))


MAX_LOG_ALPHA = 40.0
BETA_LOGITS = np.linspace(-12, 14, 53)
"""Where β is sought, as ln(β/(1 − β))."""


def slide_negative_binomial(sample: SampleClasses, population: int) -> ModelEstimate:
    """Population uniques of the model; no solution for β says so (not converged, NaN)."""
    require_population(sample, population)
    fraction, classes = sample.rows / population, sample.classes / population
    unique_share = sample.of_size(1) / population

    def fitted(logit: float) -> _SlideNegativeBinomial:
        beta = float(expit(logit))
        return _SlideNegativeBinomial(_fit_alpha(beta, fraction, classes), beta, fraction)

    def surplus(logit: float) -> float:
        model = fitted(logit)
        return model.chance_seen_once / model.mean - unique_share

    logit = _find_root(surplus)
    if logit is None:
        return ModelEstimate("snb", np.nan, converged=False)
    model = fitted(logit)
    estimate = population / model.mean * (1 - model.beta) ** model.alpha
    parameters = {"alpha": model.alpha, "beta": model.beta}
    return ModelEstimate("snb", float(estimate), converged=True, parameters=parameters)


def _find_root(surplus: Callable[[float], float]) -> float | None:
    """The first change of sign between neighbouring places that have a value."""
    values = [(float(x), surplus(float(x))) for x in BETA_LOGITS]
    for (left, below), (right, above) in pairwise(values):
        if np.isfinite(below) and np.isfinite(above) and below * above <= 0:
            return float(brentq(surplus, left, right, xtol=1e-12))
    return None


@dataclass(frozen=True)
class _SlideNegativeBinomial:
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
        return (1 - self.fraction) * self._unseen_factor

    @property
    def chance_seen_once(self) -> float:
        """P(f = 1)."""
        left = self.beta * (1 - self.fraction)
        return self.fraction * self._unseen_factor * (1 + self.alpha * left / (1 - left))

    @property
    def _unseen_factor(self) -> float:
        """E((1 − π)^(F−1))."""
        return float(((1 - self.beta) / (1 - self.beta * (1 - self.fraction))) ** self.alpha)


def _fit_alpha(beta: float, fraction: float, classes: float) -> float:
    """The α that gives the sample's number of classes at this β; NaN if there is none."""

    def surplus(log: float) -> float:
        model = _SlideNegativeBinomial(float(np.exp(log)), beta, fraction)
        return (1 - model.unseen) / model.mean - classes

    if surplus(-MAX_LOG_ALPHA) < 0 or surplus(MAX_LOG_ALPHA) > 0:
        return np.nan
    return float(np.exp(brentq(surplus, -MAX_LOG_ALPHA, MAX_LOG_ALPHA, xtol=1e-12)))
