"""Population uniques from small samples: Pitman, and Poisson-lognormal.

Pitman's sampling formula (Hoshino 2001) takes classes for a species-sampling process. The
likelihood of a partition of n rows into u classes with s_j classes of size j is

    Π_{i=1}^{u−1}(θ + iα) / Π_{i=1}^{n−1}(θ + i) · Π_j (Π_{i=1}^{j−1}(i − α))^{s_j},

0 ≤ α < 1, θ > −α. The population of N rows then has on average
N·Γ(θ+1)Γ(N+θ+α−1) / (Γ(θ+α)Γ(N+θ)) uniques.

Poisson-lognormal (Skinner and Holmes 1993): a cell's size in the sample is Poisson(λ), in the
population Poisson(λN/n), ln λ ~ Normal(μ, σ²). μ and σ maximize the likelihood of the sizes seen
(≥ 1). The chance of a combination of many columns is a product, so its logarithm is a sum and
roughly normal: the reason to try this model on tables.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import digamma, gammaln

from tokumei.tables.measures.class_size_counts import (
    ModelEstimate,
    SampleClasses,
    require_population,
)

ALPHA_MAX = 1 - 1e-6
LOG_MAX = 25.0
"""θ + α is sought between e^−25 and e^25; a maximum at an end is none."""
PITMAN_STARTS = ((0.5, 100.0), (0.1, 10_000.0))
SLOPE_TOLERANCE = 1e-6


def pitman(sample: SampleClasses, population: int) -> ModelEstimate:
    """The expected population uniques at the maximum of the likelihood."""
    require_population(sample, population)
    likelihood = _PitmanLikelihood.of(sample)
    searches = [
        minimize(
            likelihood.loss,
            np.array([alpha, np.log(theta + alpha)]),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, ALPHA_MAX), (-LOG_MAX, LOG_MAX)],
            options={"ftol": 1e-14, "gtol": 1e-9, "maxiter": 500},
        )
        for alpha, theta in PITMAN_STARTS
    ]
    best = min(searches, key=lambda search: float(search.fun))
    alpha, log = (float(part) for part in best.x)
    theta = float(np.exp(log)) - alpha
    inside = alpha < ALPHA_MAX and abs(log) < LOG_MAX * (1 - 1e-6)
    return ModelEstimate(
        "pitman",
        expected_uniques(alpha, theta, population),
        converged=bool(inside and _is_stationary(best.jac, alpha)),
        parameters={"alpha": alpha, "theta": theta},
    )


def expected_uniques(alpha: float, theta: float, population: int) -> float:
    """E(S₁) of a population under the model."""
    n = float(population)
    log = gammaln(theta + 1) + gammaln(n + theta + alpha - 1)
    return float(n * np.exp(log - gammaln(theta + alpha) - gammaln(n + theta)))


def _is_stationary(slope: np.ndarray, alpha: float) -> bool:
    """Whether no direction that stays inside leads uphill (α = 0, Ewens' model, is inside)."""
    along_alpha = min(slope[0], 0.0) if alpha == 0 else slope[0]
    return bool(max(abs(along_alpha), abs(slope[1])) < SLOPE_TOLERANCE)


@dataclass(frozen=True, eq=False)
class _PitmanLikelihood:
    """`larger[i − 1]` classes have more than i rows."""

    rows: int
    classes: int
    larger: np.ndarray

    @classmethod
    def of(cls, sample: SampleClasses) -> _PitmanLikelihood:
        up_to = np.cumsum(np.bincount(sample.sizes, weights=sample.counts))
        return cls(sample.rows, sample.classes, sample.classes - up_to[1:-1])

    def loss(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus the log likelihood per row, and its slope, at (α, ln(θ + α))."""
        alpha, total = float(point[0]), float(np.exp(point[1]))
        theta = total - alpha
        steps, inner = np.arange(1, self.classes), np.arange(1, len(self.larger) + 1)
        opened, joined = theta + steps * alpha, inner - alpha
        value = np.log(opened).sum() + self.larger @ np.log(joined)
        value -= gammaln(theta + self.rows) - gammaln(theta + 1)
        by_theta = (1 / opened).sum() - digamma(theta + self.rows) + digamma(theta + 1)
        by_alpha = (steps / opened).sum() - self.larger @ (1 / joined)
        slope = np.array([by_alpha - by_theta, by_theta * total])
        return float(-value / self.rows), -slope / self.rows


LOG_RATE_GRID = np.arange(-40.0, 9.0, 0.05)
"""Places of ln λ for the sums; below e^−40 nobody is seen."""
SMALL_SIZE = 300
"""Larger sizes use Bulmer's (1974) expansion: their Poisson peaks are too narrow for the grid."""
SIGMA_BOUNDS = (0.2, 12.0)
MU_BOUNDS = (-80.0, 15.0)
LOGNORMAL_STARTS = ((-1.0, 1.5), (-5.0, 2.5))


def poisson_lognormal(sample: SampleClasses, population: int) -> ModelEstimate:
    """The expected population uniques at the maximum of the likelihood."""
    require_population(sample, population)
    fit = _LognormalFit.of(sample)
    searches = [
        minimize(
            fit.loss,
            np.array(start),
            method="Nelder-Mead",
            bounds=[MU_BOUNDS, SIGMA_BOUNDS],
            options={"xatol": 1e-5, "fatol": 1e-10, "maxiter": 2000},
        )
        for start in LOGNORMAL_STARTS
    ]
    best = min(searches, key=lambda search: float(search.fun))
    mu, sigma = (float(part) for part in best.x)
    weights = _normal_weights(LOG_RATE_GRID, mu, sigma)
    sizes = np.exp(LOG_RATE_GRID) * population / sample.rows
    share = weights @ (sizes * np.exp(-sizes)) / (weights @ fit.seen)
    # At an end the likelihood still rises: no spread to fit, or a power law without a mode.
    inside = (
        SIGMA_BOUNDS[0] * 1.01 < sigma < SIGMA_BOUNDS[1] * 0.99 and MU_BOUNDS[0] < mu < MU_BOUNDS[1]
    )
    return ModelEstimate(
        "poisson-lognormal",
        float(min(sample.classes * share, population)),
        converged=bool(best.success and inside),
        parameters={"mu": mu, "sigma": sigma},
    )


@dataclass(frozen=True, eq=False)
class _LognormalFit:
    """Poisson chances of the small sizes on the grid, and the chance to be seen at all."""

    sample: SampleClasses
    small: np.ndarray
    chances: np.ndarray
    seen: np.ndarray

    @classmethod
    def of(cls, sample: SampleClasses) -> _LognormalFit:
        small = sample.sizes <= SMALL_SIZE
        sizes = sample.sizes[small][:, None].astype(float)
        chances = np.exp(sizes * LOG_RATE_GRID - np.exp(LOG_RATE_GRID) - gammaln(sizes + 1))
        return cls(sample, small, chances, -np.expm1(-np.exp(LOG_RATE_GRID)))

    def loss(self, point: np.ndarray) -> float:
        """Minus the log likelihood per class at (μ, σ)."""
        mu, sigma = float(point[0]), float(point[1])
        weights = _normal_weights(LOG_RATE_GRID, mu, sigma)
        counts, sizes = self.sample.counts, self.sample.sizes[~self.small].astype(float)
        tiny = np.finfo(float).tiny
        value = counts[self.small] @ np.log(self.chances @ weights + tiny)
        value += counts[~self.small] @ np.log(_bulmer_expansion(sizes, mu, sigma) + tiny)
        return float(np.log(weights @ self.seen + tiny) - value / self.sample.classes)


def _normal_weights(points: np.ndarray, mu: float, sigma: float) -> np.ndarray:
    """Weights of the grid: density times step."""
    step = LOG_RATE_GRID[1] - LOG_RATE_GRID[0]
    return np.asarray(
        np.exp(-(((points - mu) / sigma) ** 2) / 2) * step / (sigma * np.sqrt(2 * np.pi))
    )


def _bulmer_expansion(sizes: np.ndarray, mu: float, sigma: float) -> np.ndarray:
    """P(f = j) for large j: the lognormal density and its first correction."""
    log = np.log(sizes) - mu
    density = np.exp(-((log / sigma) ** 2) / 2) / (sizes * sigma * np.sqrt(2 * np.pi))
    correction = 1 + ((log / sigma) ** 2 + log - 1) / (2 * sizes * sigma**2)
    return np.asarray(density * np.maximum(correction, 0.1))
