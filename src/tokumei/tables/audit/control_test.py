"""Do members and control come from the same population, and is the reference a third group?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaincc, expit, ndtri
from scipy.stats import rankdata

from tokumei.core.randomness import Randomness
from tokumei.core.rates import wilson
from tokumei.core.text import Text
from tokumei.tables.audit.figures import Interval, auc_interval, weighted_auc
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.spaces import people_points

MOST_FEATURES = 300
STRATA = 10
SMALL = 1e-10
LEVEL, ALPHA = 0.99, 0.01
"""Scores of five fits depend on each other: of splits of one small file 4 % have an interval above
.5 by chance. So the share of the difference that a regression explains must be no chance, either.
"""
SURE = 0.9999
"""Level at which twins in the reference are no chance."""
DIFFERS = Text(
    "control differs from members: figures mix leakage and difference",
    "対照とメンバーの母集団が異なります。結果には漏えいと母集団の差が混ざっています",
)
REFERENCE_HOLDS_MEMBERS = Text(
    "the reference seems to contain members: attacks that use it would be told the answer",
    "参照データにメンバーが含まれているようです。参照データを使う攻撃は答えを知ることになります",
)
REFERENCE_HOLDS_CONTROL = Text(
    "the reference seems to contain people of the control: figures are too low or too high",
    "参照データに対照の人が含まれているようです。結果は正しくありません",
)


@dataclass(frozen=True, eq=False)
class Strata:
    """Strata of targets, by a score that no release went into (Rosenbaum & Rubin 1984).

    `weights`: how much every control counts so that both sides have the same strata; `compared`:
    which members are in one that has controls.
    """

    compared: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, scores: np.ndarray, member: np.ndarray) -> Strata:
        """Ten of as many members each."""
        edges = np.quantile(scores[member], np.arange(1, STRATA) / STRATA)
        stratum = np.searchsorted(edges, scores)
        mine, others = (np.bincount(stratum[side], minlength=STRATA) for side in (member, ~member))
        there = others > 0
        share = np.divide(mine, others, out=np.zeros(STRATA), where=there) / mine[there].sum()
        return cls(there[stratum[member]], share[stratum[~member]])

    def auc(self, scores: np.ndarray, member: np.ndarray, level: float) -> Interval:
        """How well an attack tells members from controls who are like them."""
        mine, others = scores[member][self.compared], scores[~member]
        return weighted_auc(mine, others, self.weights, level)


@dataclass(frozen=True)
class ControlTest:
    """How well members and control are told apart without any release; warnings of both tests."""

    auc: Interval
    twins: int
    """Controls who equal a member in all known columns."""
    warnings: tuple[Text, ...]
    chance: float
    """How likely a random split differs as much."""
    strata: Strata
    """Targets who are as likely members by what they are, without any release."""

    @property
    def differs(self) -> bool:
        """Whether they are told apart."""
        return DIFFERS in self.warnings

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        mixed = REFERENCE_HOLDS_MEMBERS in self.warnings or REFERENCE_HOLDS_CONTROL in self.warnings
        told = {"differs": self.differs, "control_twins": self.twins, "reference_mixed": mixed}
        return {**self.auc.as_json(), "chance": self.chance, **told}


def control_test(seen: Seen, member: np.ndarray, *, rng: Randomness) -> ControlTest:
    """A regression on members against control, each judged by a fit on others."""
    features = _features(seen)
    scores = np.zeros(len(member))
    if features.shape[1]:
        scores = np.round(out_of_fold(features, member, rng.generator), 9)
    auc = auc_interval(scores[member], scores[~member], LEVEL)
    place = seen.people.place[: seen.targets]
    twins = int(np.isin(place[~member], place[member]).sum())
    chance = _chance(features, member)
    found = [DIFFERS] if auc.low > 0.5 and chance < ALPHA else []
    warnings = tuple(found + _twins(seen, member))
    return ControlTest(auc, twins, warnings, chance, Strata.of(scores, member))


def _chance(features: np.ndarray, member: np.ndarray) -> float:
    """How often a random split of these people is explained as well by a linear regression.

    The share that it explains then has a beta distribution (Pitman 1937).
    """
    rows = features - features.mean(axis=0)
    label = member - member.mean()
    sizes, ways = np.linalg.eigh(rows.T @ rows)
    kept = sizes > sizes.max(initial=0.0) * SMALL
    rank, left = int(kept.sum()), len(member) - int(kept.sum()) - 1
    if not rank or left < 1:
        return 1.0
    along = ways[:, kept].T @ (rows.T @ label)
    explained = float((along**2 / sizes[kept]).sum() / (label @ label))
    return float(betaincc(rank / 2, left / 2, min(explained, 1.0)))


def _twins(seen: Seen, member: np.ndarray) -> list[Text]:
    """Warn if members have equals in the reference beyond what controls have, or the reverse."""
    if not seen.reference:
        return []
    equal = seen.of_targets(seen.reference_times) > 0
    (m_low, m_high), (c_low, c_high) = (
        wilson(int(equal[side].sum()), int(side.sum()), SURE) for side in (member, ~member)
    )
    if m_low > c_high:
        return [REFERENCE_HOLDS_MEMBERS]
    return [REFERENCE_HOLDS_CONTROL] if c_low > m_high else []


def _features(seen: Seen) -> np.ndarray:
    """Frequent categories as 0 and 1, numbers and their squares."""
    points, place = people_points(seen), seen.people.place[: seen.targets]
    found = []
    for column in points.codes[place].T:
        counts = np.bincount(column)
        frequent = np.argsort(-counts, kind="stable")[: MOST_FEATURES // 4]
        frequent = frequent[(counts[frequent] >= 20) & (counts[frequent] < len(column))]
        found += [(column == value).astype(np.float64) for value in frequent]
    for numbers in points.numbers[place].T:
        if np.ptp(numbers) > 0:
            share = (numbers - numbers.min()) / np.ptp(numbers)
            scaled = np.clip((share - share.mean()) / share.std(), -5, 5)
            found += [scaled, scaled**2 - 1]
    if not found:
        return np.zeros((seen.targets, 0))
    return np.stack(found[:MOST_FEATURES], axis=1)


FOLDS = 5
RIDGE = 1.0
STEPS = 25


def out_of_fold(
    features: np.ndarray, label: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """For every row the score of a model fitted on the other four fifths."""
    scores = np.zeros(len(label))
    for fit, judge in folds(label, generator):
        weights = fitted(features[fit], label[fit])
        scores[judge] = features[judge] @ weights[1:] + weights[0]
    return scores


def folds(
    label: np.ndarray, generator: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Five pairs of rows to fit on and rows to judge, both labels in each as in the whole."""
    part = np.empty(len(label), dtype=np.int64)
    for side in (True, False):
        rows = generator.permutation(np.flatnonzero(label == side))
        part[rows] = np.arange(len(rows)) % FOLDS
    for fold in range(FOLDS):
        yield np.flatnonzero(part != fold), np.flatnonzero(part == fold)


def fitted(features: np.ndarray, label: np.ndarray) -> np.ndarray:
    """The weights, the constant first, by Newton's method."""
    rows = np.column_stack([np.ones(len(label)), features])
    weights = np.zeros(rows.shape[1])
    ridge = np.full(len(weights), RIDGE)
    ridge[0] = 1e-9
    for _ in range(STEPS):
        chance = expit(rows @ weights)
        slope = rows.T @ (label - chance) - ridge * weights
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def rank_normal(scores: np.ndarray) -> np.ndarray:
    """Scores as quantiles of the normal distribution; equal ones stay equal."""
    return np.asarray(ndtri((rankdata(scores) - 0.5) / len(scores)))
