"""Pitman's sampling formula (Hoshino 2001): classes as a species-sampling process.

The likelihood of a partition of n rows into u classes with s_j classes of size j is

    Π_{i=1}^{u−1}(θ + iα) / Π_{i=1}^{n−1}(θ + i) · Π_j (Π_{i=1}^{j−1}(i − α))^{s_j},

0 ≤ α < 1, θ > −α. The population of N rows then has on average
N·Γ(θ+1)Γ(N+θ+α−1) / (Γ(θ+α)Γ(N+θ)) uniques.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import digamma, gammaln

from tokumei.tables.measures.sample_classes import Estimate, SampleClasses, require_population

ALPHA_MAX = 1 - 1e-6
LOG_MAX = 25.0
"""θ + α is sought between e^−25 and e^25; a maximum at an end is none."""
STARTS = ((0.5, 100.0), (0.1, 10_000.0))
FLAT = 1e-6


def pitman(sample: SampleClasses, population: int) -> Estimate:
    """The expected population uniques at the maximum of the likelihood."""
    require_population(sample, population)
    likelihood = _Likelihood.of(sample)
    ends = [(0.0, ALPHA_MAX), (-LOG_MAX, LOG_MAX)]
    runs = [
        minimize(
            likelihood.loss,
            np.array([alpha, np.log(theta + alpha)]),
            jac=True,
            method="L-BFGS-B",
            bounds=ends,
            options={"ftol": 1e-14, "gtol": 1e-9, "maxiter": 500},
        )
        for alpha, theta in STARTS
    ]
    best = min(runs, key=lambda run: float(run.fun))
    alpha, log = (float(part) for part in best.x)
    theta = float(np.exp(log)) - alpha
    inside = alpha < ALPHA_MAX and abs(log) < LOG_MAX * (1 - 1e-6)
    return Estimate(
        "pitman",
        expected_uniques(alpha, theta, population),
        converged=bool(inside and _is_flat(best.jac, alpha)),
        parameters={"alpha": alpha, "theta": theta},
    )


def expected_uniques(alpha: float, theta: float, population: int) -> float:
    """E(S₁) of a population under the model."""
    n = float(population)
    log = gammaln(theta + 1) + gammaln(n + theta + alpha - 1)
    return float(n * np.exp(log - gammaln(theta + alpha) - gammaln(n + theta)))


def _is_flat(slope: np.ndarray, alpha: float) -> bool:
    """Whether no direction that stays inside leads uphill (α = 0, Ewens' model, is inside)."""
    along_alpha = min(slope[0], 0.0) if alpha == 0 else slope[0]
    return bool(max(abs(along_alpha), abs(slope[1])) < FLAT)


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """`larger[i − 1]` classes have more than i rows."""

    rows: int
    classes: int
    larger: np.ndarray

    @classmethod
    def of(cls, sample: SampleClasses) -> _Likelihood:
        up_to = np.cumsum(np.bincount(sample.sizes, weights=sample.counts))
        return cls(sample.rows, sample.classes, sample.classes - up_to[1:-1])

    def loss(self, at: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus the log likelihood per row, and its slope, at (α, ln(θ + α))."""
        alpha, total = float(at[0]), float(np.exp(at[1]))
        theta = total - alpha
        steps, inner = np.arange(1, self.classes), np.arange(1, len(self.larger) + 1)
        opened, joined = theta + steps * alpha, inner - alpha
        value = np.log(opened).sum() + self.larger @ np.log(joined)
        value -= gammaln(theta + self.rows) - gammaln(theta + 1)
        by_theta = (1 / opened).sum() - digamma(theta + self.rows) + digamma(theta + 1)
        by_alpha = (steps / opened).sum() - self.larger @ (1 / joined)
        slope = np.array([by_alpha - by_theta, by_theta * total])
        return float(-value / self.rows), -slope / self.rows
