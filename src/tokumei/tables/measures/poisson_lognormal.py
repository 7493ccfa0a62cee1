"""Poisson-lognormal (Skinner and Holmes 1993): cells have lognormal expected sizes.

A cell's size in the sample is Poisson(λ), in the population Poisson(λN/n), ln λ ~ Normal(μ, σ²).
μ and σ maximize the likelihood of the sizes seen (≥ 1). The chance of a combination of many columns
is a product, so its logarithm is a sum and roughly normal: the reason to try this model on tables.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import gammaln

from tokumei.tables.measures.sample_classes import Estimate, SampleClasses, require_population

GRID = np.arange(-40.0, 9.0, 0.05)
"""Places of ln λ for the sums; below e^−40 nobody is seen."""
SMALL = 300
"""Larger sizes use Bulmer's (1974) expansion: their Poisson peaks are too narrow for the grid."""
SIGMA = (0.2, 12.0)
MU = (-80.0, 15.0)
STARTS = ((-1.0, 1.5), (-5.0, 2.5))


def poisson_lognormal(sample: SampleClasses, population: int) -> Estimate:
    """The expected population uniques at the maximum of the likelihood."""
    require_population(sample, population)
    fit = _Fit.of(sample)
    runs = [
        minimize(
            fit.loss,
            np.array(start),
            method="Nelder-Mead",
            bounds=[MU, SIGMA],
            options={"xatol": 1e-5, "fatol": 1e-10, "maxiter": 2000},
        )
        for start in STARTS
    ]
    best = min(runs, key=lambda run: float(run.fun))
    mu, sigma = (float(part) for part in best.x)
    weights = _normal(GRID, mu, sigma)
    sizes = np.exp(GRID) * population / sample.rows
    share = weights @ (sizes * np.exp(-sizes)) / (weights @ fit.seen)
    # At an end the likelihood still rises: no spread to fit, or a power law without a mode.
    inside = SIGMA[0] * 1.01 < sigma < SIGMA[1] * 0.99 and MU[0] < mu < MU[1]
    return Estimate(
        "poisson-lognormal",
        float(min(sample.classes * share, population)),
        converged=bool(best.success and inside),
        parameters={"mu": mu, "sigma": sigma},
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    """Poisson chances of the small sizes on the grid, and the chance to be seen at all."""

    sample: SampleClasses
    small: np.ndarray
    chances: np.ndarray
    seen: np.ndarray

    @classmethod
    def of(cls, sample: SampleClasses) -> _Fit:
        small = sample.sizes <= SMALL
        sizes = sample.sizes[small][:, None].astype(float)
        chances = np.exp(sizes * GRID - np.exp(GRID) - gammaln(sizes + 1))
        return cls(sample, small, chances, -np.expm1(-np.exp(GRID)))

    def loss(self, at: np.ndarray) -> float:
        """Minus the log likelihood per class at (μ, σ)."""
        mu, sigma = float(at[0]), float(at[1])
        weights = _normal(GRID, mu, sigma)
        counts, sizes = self.sample.counts, self.sample.sizes[~self.small].astype(float)
        tiny = np.finfo(float).tiny
        value = counts[self.small] @ np.log(self.chances @ weights + tiny)
        value += counts[~self.small] @ np.log(_bulmer(sizes, mu, sigma) + tiny)
        return float(np.log(weights @ self.seen + tiny) - value / self.sample.classes)


def _normal(at: np.ndarray, mu: float, sigma: float) -> np.ndarray:
    """Weights of the grid: density times step."""
    step = GRID[1] - GRID[0]
    return np.asarray(np.exp(-(((at - mu) / sigma) ** 2) / 2) * step / (sigma * np.sqrt(2 * np.pi)))


def _bulmer(sizes: np.ndarray, mu: float, sigma: float) -> np.ndarray:
    """P(f = j) for large j: the lognormal density and its first correction."""
    log = np.log(sizes) - mu
    density = np.exp(-((log / sigma) ** 2) / 2) / (sizes * sigma * np.sqrt(2 * np.pi))
    correction = 1 + ((log / sigma) ** 2 + log - 1) / (2 * sizes * sigma**2)
    return np.asarray(density * np.maximum(correction, 0.1))
