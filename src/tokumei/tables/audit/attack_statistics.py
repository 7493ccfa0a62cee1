"""Statistics of a membership attack: how well its scores separate members from others.

    figures = MembershipFigures.of(scores_of_members, scores_of_control)
    figures.auc.value, figures.auc.low, figures.tpr[0.01].value, figures.advantage

A high score says member. Ties are never broken: a member counts above a threshold only if it
is strictly above it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, betaincinv, expit, logit, ndtri
from scipy.stats import binom, rankdata

from tokumei.core.attack_rates import wilson


@dataclass(frozen=True)
class Interval:
    """A figure and the ends of its interval."""

    value: float
    low: float
    high: float

    def as_json(self) -> dict[str, float]:
        """As plain data."""
        return dict(vars(self))


def clopper_pearson(hits: float, n: int, level: float = 0.95) -> tuple[float, float]:
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
    missed_share, control_missed = 1 - hits / max(n, 1), 1 - control_hits / max(control_n, 1)
    if control_missed <= 0:
        return Interval(0.0, -1.0, 1.0)
    low, high = (1 - end for end in wilson(hits, n, level)[::-1])
    control_low, control_high = (1 - end for end in wilson(control_hits, control_n, level)[::-1])
    ratio_low = _ratio_bound(missed_share, low, control_missed, control_high, -1)
    ratio_high = _ratio_bound(missed_share, high, control_missed, control_low, 1)
    return Interval(1 - missed_share / control_missed, 1 - ratio_high, 1 - ratio_low)


_FEW_CLUSTERS = 1.6
"""Without it the interval of singling out holds the truth in 89.6 % (60 rows), 92.4 % (200)."""


def clustered_risk(
    hits: np.ndarray, control_hits: np.ndarray, tried: np.ndarray, level: float = 0.95
) -> Interval:
    """(a − c) / (1 − c) where attempts come in clusters, which depend on each other.

    Of t attempts of a cluster h hit members and k controls. The standard error of a − c is
    √Σ (h − k − (a − c)·t)² / Σ t over clusters, widened where clusters are
    few (`_FEW_CLUSTERS`). Where every attempt hits a member, whatever the control does, the lower
    end is that of as many clusters without a miss; where none does, the upper end that of as many
    without a hit.
    """
    total = float(tried.sum())
    member_share, control_share = float(hits.sum()) / total, float(control_hits.sum()) / total
    if control_share >= 1:
        return Interval(0.0, -1.0, 1.0)
    if member_share >= 1:
        clusters = int((tried > 0).sum())
        return Interval(1.0, clopper_pearson(clusters, clusters, level)[0], 1.0)
    residuals = hits - control_hits - (member_share - control_share) * tried
    widened = 1 + _FEW_CLUSTERS / math.sqrt(max(1, int((tried > 0).sum())))
    half_width = widened * float(ndtri(0.5 + level / 2) * np.sqrt((residuals**2).sum())) / total
    upper_difference = member_share - control_share + half_width
    if member_share <= 0:
        upper_difference = max(
            upper_difference, clopper_pearson(0, int((tried > 0).sum()), level)[1] - control_share
        )
    ends = (
        (member_share - control_share - half_width) / (1 - control_share),
        min(1.0, upper_difference / (1 - control_share)),
    )
    return Interval((member_share - control_share) / (1 - control_share), *ends)


def _ratio_bound(
    numerator: float, numerator_end: float, denominator: float, denominator_end: float, sign: int
) -> float:
    """An end of the interval of a ratio, from the ends of its parts that make it extreme."""
    scaled_end = denominator_end * (2 * denominator - denominator_end)
    if scaled_end <= 0:
        return 0.0 if sign < 0 else 2.0
    inner = (numerator * denominator) ** 2 - numerator_end * (
        2 * numerator - numerator_end
    ) * scaled_end
    return (numerator * denominator + sign * math.sqrt(max(inner, 0.0))) / scaled_end


FALSE_POSITIVE_RATES = (0.001, 0.01, 0.1)
"""Shares of controls that may be taken for members."""
NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class MembershipFigures:
    """How often members get higher scores, and how many are found at a few false alarms.

    `tpr` has the rates for which there are enough controls. `advantage` is the share of members
    minus the share of controls above a threshold that other people chose.
    """

    auc: Interval
    tpr: dict[float, Interval]
    advantage: float

    @classmethod
    def of(cls, members: np.ndarray, control: np.ndarray, level: float = 0.95) -> MembershipFigures:
        """Of the scores of both sides, in any order that says nothing."""
        rates = {
            f: true_positive_rate(members, control, f, level)
            for f in FALSE_POSITIVE_RATES
            if f * len(control) >= 1
        }
        return cls(
            auc_interval(members, control, level), rates, membership_advantage(members, control)
        )

    def as_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "auc": self.auc.value,
            "auc_low": self.auc.low,
            "auc_high": self.auc.high,
            "tpr": {f"{f:g}": interval.as_json() for f, interval in self.tpr.items()},
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
    midranks = rankdata(np.concatenate([members, control]))
    above = (midranks[:m] - rankdata(members)) / n
    below = 1 - (midranks[m:] - rankdata(control)) / m
    auc = float(above.mean())
    variance = sum(shares.var(ddof=1) / len(shares) for shares in (above, below) if len(shares) > 1)
    if auc in (0.0, 1.0):
        return Interval(auc, *clopper_pearson(auc * min(m, n), min(m, n), level))
    return _logit_interval(auc, variance, level)


def weighted_auc(
    members: np.ndarray, control: np.ndarray, weights: np.ndarray, level: float = 0.95
) -> Interval:
    """The same where controls count differently (`weights` sum to 1)."""
    m, order = np.sort(members), np.argsort(control)
    cumulative_weights = np.concatenate([[0.0], np.cumsum(weights[order])])
    ranked = control[order]
    above = (
        cumulative_weights[np.searchsorted(ranked, m)]
        + cumulative_weights[np.searchsorted(ranked, m, "right")]
    ) / 2
    count_at_most = np.searchsorted(m, control) + np.searchsorted(m, control, "right")
    below = 1 - count_at_most / 2 / len(m)
    auc = float(above.mean())
    if not NEGLIGIBLE < auc < 1 - NEGLIGIBLE:
        effective_size = math.floor(min(len(m), 1 / float((weights**2).sum())))
        end = float(round(auc))
        return Interval(end, *clopper_pearson(end * effective_size, effective_size, level))
    variance = float(above.var(ddof=1) / len(m) + (weights**2) @ (below - auc) ** 2)
    return _logit_interval(auc, variance, level)


def _logit_interval(auc: float, variance: float, level: float) -> Interval:
    half_width = float(ndtri(0.5 + level / 2)) * math.sqrt(variance) / (auc * (1 - auc))
    return Interval(auc, *(float(expit(logit(auc) + end)) for end in (-half_width, half_width)))


def true_positive_rate(
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
    allowed_count = math.floor(rate * n + NEGLIGIBLE)
    count_chances = binom.pmf(np.arange(n + 1), n, rate)
    likely_counts = np.flatnonzero(count_chances > NEGLIGIBLE)
    ranked = np.sort(members)
    above_control = m - np.searchsorted(ranked, ordered, "right")
    members_above = np.append(above_control, m)
    value = float(members_above[allowed_count]) / m
    if members_above[allowed_count] in (0, m):
        return Interval(value, *clopper_pearson(float(members_above[allowed_count]), m, level))
    interpolated = (np.concatenate([[0], above_control]) + members_above) / 2
    interpolated[0] = members_above[0] * (1 - 0.5 / (rate * n))
    tail = _tail_slack(rate * n) * (1 - level) / 2
    low, high = (
        _mixture_quantile(interpolated[likely_counts], m, count_chances[likely_counts], q)
        for q in (tail, 1 - tail)
    )
    return Interval(value, min(low, value), max(high, value))


def _tail_slack(expected: float) -> float:
    """How much larger tails may be where so many controls are expected above the threshold.

    Between two thresholds members are counted who are drawn themselves: chance that the beta
    distributions hold already. It weighs the more, the fewer controls stand there. Chosen so that
    the intervals hold the truth in 95 % of draws (`bench/audit_coverage.py`).
    """
    return 1 + 2 / (3 + math.sqrt(expected))


def _mixture_quantile(hits: np.ndarray, m: int, chance: np.ndarray, share: float) -> float:
    """The quantile of a mixture of beta distributions, equal ones taken together."""
    distinct_hits, hit_index = np.unique(hits, return_inverse=True)
    weights = np.bincount(hit_index, chance) / chance.sum()

    def excess_probability(rate: float) -> float:
        return float(weights @ betainc(distinct_hits + 0.5, m - distinct_hits + 0.5, rate)) - share

    return float(brentq(excess_probability, 0.0, 1.0, xtol=1e-15))


def membership_advantage(members: np.ndarray, control: np.ndarray) -> float:
    """Members minus controls above the best threshold of one half, judged on the other half.

    Both ways; the largest difference on the same rows would be too large.
    """
    halves = [(members[::2], control[::2]), (members[1::2], control[1::2])]
    if min(len(side) for half in halves for side in half) == 0:
        return math.nan
    advantages = []
    for fit_scores, (member_scores, control_scores) in (halves, halves[::-1]):
        thresholds = np.unique(np.concatenate(fit_scores))
        below = [
            np.searchsorted(np.sort(side_scores), thresholds, "right") / len(side_scores)
            for side_scores in fit_scores
        ]
        best_threshold = thresholds[np.argmax(below[1] - below[0])]
        advantages.append(
            float(
                (member_scores > best_threshold).mean() - (control_scores > best_threshold).mean()
            )
        )
    return sum(advantages) / 2
