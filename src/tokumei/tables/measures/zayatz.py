"""Zayatz (1991): how likely a sample unique is a population unique, by Bayes' rule."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

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
