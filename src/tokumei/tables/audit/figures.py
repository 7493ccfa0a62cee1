"""The figures of a membership attack: how well its scores tell members from others.

    found = Figures.of(scores_of_members, scores_of_control)
    found.auc.value, found.auc.low, found.tpr[0.01].value, found.advantage

A high score says member. Ties are never broken: a member counts above a threshold only if it
is strictly above it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, betaincinv, expit, logit, ndtri
from scipy.stats import binom, rankdata

from tokumei.core.rates import wilson


@dataclass(frozen=True)
class Interval:
    """A figure and the ends of its interval."""

    value: float
    low: float
    high: float

    def as_json(self) -> dict[str, float]:
        """As plain data."""
        return dict(vars(self))


def exact_binomial(hits: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of Clopper and Pearson (1934)."""
    if n == 0:
        return 0.0, 1.0
    tail = (1 - level) / 2
    low = 0.0 if hits <= 0 else float(betaincinv(hits, n - hits + 1, tail))
    return low, 1.0 if hits >= n else float(betaincinv(hits + 1, n - hits, 1 - tail))


def risk_above_control(
    hits: float, n: float, control_hits: float, control_n: float, level: float = 0.95
) -> Interval:
    """(a − c) / (1 − c) of the shares a of members and c of controls; negative stays negative.

    That is 1 − (1 − a) / (1 − c), a ratio of two shares, with the interval MOVER of their Wilson
    intervals (Donner & Zou 2012). A difference divided by 1 − c, as if c were known, holds the
    truth in all of 600 draws where a = .9 and c = .2.
    """
    missed, left = 1 - hits / max(n, 1), 1 - control_hits / max(control_n, 1)
    if left <= 0:
        return Interval(0.0, -1.0, 1.0)
    low, high = (1 - end for end in wilson(hits, n, level)[::-1])
    left_low, left_high = (1 - end for end in wilson(control_hits, control_n, level)[::-1])
    least = _ratio_end(missed, low, left, left_high, -1)
    most = _ratio_end(missed, high, left, left_low, 1)
    return Interval(1 - missed / left, 1 - most, 1 - least)


def clustered_risk(
    hits: np.ndarray, control_hits: np.ndarray, tried: np.ndarray, level: float = 0.95
) -> Interval:
    """(a − c) / (1 − c) where attempts come in clusters, which depend on each other.

    Of t attempts of a cluster h hit members and k controls. The standard error of a − c is
    √Σ (h − k − (a − c)·t)² / Σ t over clusters. Where every attempt hits a member, whatever the
    control does, the lower end is that of as many clusters without a miss; where none does, the
    upper end that of as many without a hit.
    """
    total = float(tried.sum())
    a, c = float(hits.sum()) / total, float(control_hits.sum()) / total
    if c >= 1:
        return Interval(0.0, -1.0, 1.0)
    if a >= 1:
        clusters = int((tried > 0).sum())
        return Interval(1.0, exact_binomial(clusters, clusters, level)[0], 1.0)
    spread = hits - control_hits - (a - c) * tried
    half = float(ndtri(0.5 + level / 2) * np.sqrt((spread**2).sum())) / total
    most = a - c + half
    if a <= 0:
        most = max(most, exact_binomial(0, int((tried > 0).sum()), level)[1] - c)
    ends = (a - c - half) / (1 - c), min(1.0, most / (1 - c))
    return Interval((a - c) / (1 - c), *ends)


def _ratio_end(top: float, end: float, below: float, other_end: float, sign: int) -> float:
    """An end of the interval of a ratio, from the ends of its parts that make it extreme."""
    room = other_end * (2 * below - other_end)
    if room <= 0:
        return 0.0 if sign < 0 else 2.0
    inner = (top * below) ** 2 - end * (2 * top - end) * room
    return (top * below + sign * math.sqrt(max(inner, 0.0))) / room


RATES = (0.001, 0.01, 0.1)
"""Shares of controls that may be taken for members."""
NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class Figures:
    """How often members get higher scores, and how many are found at a few false alarms.

    `tpr` has the rates for which there are enough controls. `advantage` is the share of members
    minus the share of controls above a threshold that other people chose.
    """

    auc: Interval
    tpr: dict[float, Interval]
    advantage: float

    @classmethod
    def of(cls, members: np.ndarray, control: np.ndarray, level: float = 0.95) -> Figures:
        """Of the scores of both sides, in any order that says nothing."""
        rates = {f: true_rate(members, control, f, level) for f in RATES if f * len(control) >= 1}
        return cls(auc_interval(members, control, level), rates, advantage(members, control))

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "auc": self.auc.value,
            "auc_low": self.auc.low,
            "auc_high": self.auc.high,
            "tpr": {f"{f:g}": one.as_json() for f, one in self.tpr.items()},
            "advantage": self.advantage,
        }


def auc_interval(members: np.ndarray, control: np.ndarray, level: float = 0.95) -> Interval:
    """P(member's score > control's) + ½ P(equal), with the interval of DeLong et al. (1988).

    Computed by midranks (Sun & Xu 2014), on the scale of log odds: on its own an AUC of .99 would
    have an interval that holds the truth in 86 % of draws (100 + 100 people). Where no score
    overlaps, the variance is 0 and the interval is that of the smaller side, all of which was told
    apart.
    """
    m, n = len(members), len(control)
    both = rankdata(np.concatenate([members, control]))
    above = (both[:m] - rankdata(members)) / n
    below = 1 - (both[m:] - rankdata(control)) / m
    auc = float(above.mean())
    variance = sum(one.var(ddof=1) / len(one) for one in (above, below) if len(one) > 1)
    if auc in (0.0, 1.0):
        return Interval(auc, *exact_binomial(auc * min(m, n), min(m, n), level))
    return _by_odds(auc, variance, level)


def weighted_auc(
    members: np.ndarray, control: np.ndarray, weights: np.ndarray, level: float = 0.95
) -> Interval:
    """The same where controls count differently (`weights` sum to 1)."""
    m, order = np.sort(members), np.argsort(control)
    until = np.concatenate([[0.0], np.cumsum(weights[order])])
    ranked = control[order]
    above = (until[np.searchsorted(ranked, m)] + until[np.searchsorted(ranked, m, "right")]) / 2
    less = np.searchsorted(m, control) + np.searchsorted(m, control, "right")
    below = 1 - less / 2 / len(m)
    auc = float(above.mean())
    if not NEGLIGIBLE < auc < 1 - NEGLIGIBLE:
        fewest = math.floor(min(len(m), 1 / float((weights**2).sum())))
        end = float(round(auc))
        return Interval(end, *exact_binomial(end * fewest, fewest, level))
    variance = float(above.var(ddof=1) / len(m) + (weights**2) @ (below - auc) ** 2)
    return _by_odds(auc, variance, level)


def _by_odds(auc: float, variance: float, level: float) -> Interval:
    half = float(ndtri(0.5 + level / 2)) * math.sqrt(variance) / (auc * (1 - auc))
    return Interval(auc, *(float(expit(logit(auc) + end)) for end in (-half, half)))


def true_rate(
    members: np.ndarray, control: np.ndarray, rate: float, level: float = 0.95
) -> Interval:
    """The share of members strictly above the (⌊f·n⌋ + 1)-th largest of n control scores.

    The interval takes the threshold for what it is, an estimate. Above the true threshold stand
    K ~ Bin(n, f) of the controls; given K, the true rate has the beta distribution of the members
    above a point between the K-th and the (K + 1)-th largest control. Above the largest one (K = 0)
    that point lies the farther, the fewer controls there are.
    """
    n, m = len(control), len(members)
    ordered = np.sort(control)[::-1]
    most = math.floor(rate * n + NEGLIGIBLE)
    chance = binom.pmf(np.arange(n + 1), n, rate)
    likely = np.flatnonzero(chance > NEGLIGIBLE)
    ranked = np.sort(members)
    above = m - np.searchsorted(ranked, ordered, "right")
    behind = np.append(above, m)
    value = float(behind[most]) / m
    if behind[most] in (0, m):
        return Interval(value, *exact_binomial(float(behind[most]), m, level))
    between = (np.concatenate([[0], above]) + behind) / 2
    between[0] = behind[0] * (1 - 0.5 / (rate * n))
    tail = _slack(rate * n) * (1 - level) / 2
    low, high = (_quantile(between[likely], m, chance[likely], q) for q in (tail, 1 - tail))
    return Interval(value, min(low, value), max(high, value))


def _slack(expected: float) -> float:
    """How much larger tails may be where so many controls are expected above the threshold.

    Between two thresholds members are counted who are drawn themselves: chance that the beta
    distributions hold already. It weighs the more, the fewer controls stand there. Chosen so that
    the intervals hold the truth in 95 % of draws (`bench/audit_coverage.py`).
    """
    return 1 + 2 / (3 + math.sqrt(expected))


def _quantile(hits: np.ndarray, m: int, chance: np.ndarray, share: float) -> float:
    """The quantile of a mixture of beta distributions, equal ones taken together."""
    different, which = np.unique(hits, return_inverse=True)
    weights = np.bincount(which, chance) / chance.sum()

    def above(rate: float) -> float:
        return float(weights @ betainc(different + 0.5, m - different + 0.5, rate)) - share

    return float(brentq(above, 0.0, 1.0, xtol=1e-15))


def advantage(members: np.ndarray, control: np.ndarray) -> float:
    """Members minus controls above the best threshold of one half, judged on the other half.

    Both ways; the largest difference on the same rows would be too large.
    """
    halves = [(members[::2], control[::2]), (members[1::2], control[1::2])]
    if min(len(side) for half in halves for side in half) == 0:
        return math.nan
    found = []
    for fit, (m, c) in (halves, halves[::-1]):
        cuts = np.unique(np.concatenate(fit))
        below = [np.searchsorted(np.sort(one), cuts, "right") / len(one) for one in fit]
        best = cuts[np.argmax(below[1] - below[0])]
        found.append(float((m > best).mean() - (c > best).mean()))
    return sum(found) / 2
