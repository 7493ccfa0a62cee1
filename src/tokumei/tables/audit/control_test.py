"""Tests whether members, control and reference come from the same population."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincc, expit, ndtri
from scipy.stats import rankdata

from tokumei.core.attack_rates import wilson
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.attack_statistics import Interval, auc_interval, weighted_auc
from tokumei.tables.audit.attacker_view import AttackerObservation
from tokumei.tables.audit.distance_spaces import people_points

MAX_FEATURES = 300
STRATA_COUNT = 10
MIN_EIGENVALUE_SHARE = 1e-10
CONFIDENCE_LEVEL, ALPHA = 0.99, 0.01
"""Scores of five fits depend on each other: of splits of one small file 4 % have an interval above
.5 by chance. So the share of the difference that a regression explains must be no chance, either.
"""
SURE_LEVEL = 0.9999
"""Level at which twins in the reference are no chance."""
DIFFERS_WARNING = Message("control differs from members: figures mix leakage and difference")
REFERENCE_HOLDS_MEMBERS_WARNING = Message(
    "the reference seems to contain members: attacks that use it would be told the answer"
)
REFERENCE_HOLDS_CONTROL_WARNING = Message(
    "the reference seems to contain people of the control: figures are too low or too high"
)


@dataclass(frozen=True, eq=False)
class PropensityStrata:
    """Strata of targets, by a score that no release went into (Rosenbaum & Rubin 1984).

    `weights`: how much every control counts so that both sides have the same strata; `compared`:
    which members are in one that has controls.
    """

    compared: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, scores: np.ndarray, member: np.ndarray) -> PropensityStrata:
        """Ten of as many members each."""
        edges = np.quantile(scores[member], np.arange(1, STRATA_COUNT) / STRATA_COUNT)
        stratum = np.searchsorted(edges, scores)
        member_counts, control_counts = (
            np.bincount(stratum[side], minlength=STRATA_COUNT) for side in (member, ~member)
        )
        has_controls = control_counts > 0
        share = (
            np.divide(member_counts, control_counts, out=np.zeros(STRATA_COUNT), where=has_controls)
            / member_counts[has_controls].sum()
        )
        return cls(has_controls[stratum[member]], share[stratum[~member]])

    def auc(self, scores: np.ndarray, member: np.ndarray, level: float) -> Interval:
        """How well an attack tells members from controls who are like them."""
        member_scores, control_scores = scores[member][self.compared], scores[~member]
        return weighted_auc(member_scores, control_scores, self.weights, level)


@dataclass(frozen=True)
class ControlTest:
    """How well members and control are told apart without any release; warnings of both tests."""

    auc: Interval
    twins: int
    """Controls who equal a member in all known columns."""
    warnings: tuple[Message, ...]
    chance: float
    """How likely a random split differs as much."""
    strata: PropensityStrata
    """Targets who are as likely members by what they are, without any release."""
    holds_members: bool = False
    """Whether more controls equal a member than members equal another member, beyond chance."""

    @property
    def differs(self) -> bool:
        """Whether they are told apart."""
        return DIFFERS_WARNING in self.warnings

    def as_json(self) -> JsonObject:
        """As plain data."""
        is_reference_mixed = (
            REFERENCE_HOLDS_MEMBERS_WARNING in self.warnings
            or REFERENCE_HOLDS_CONTROL_WARNING in self.warnings
        )
        test_results = {
            "differs": self.differs,
            "control_twins": self.twins,
            "reference_mixed": is_reference_mixed,
        }
        return {**self.auc.as_json(), "chance": self.chance, **test_results}


def control_test(seen: AttackerObservation, member: np.ndarray, *, rng: Randomness) -> ControlTest:
    """A regression on members against control, each judged by a fit on others."""
    features = _encode_features(seen)
    scores = np.zeros(len(member))
    if features.shape[1]:
        scores = np.round(out_of_fold_scores(features, member, rng.generator), 9)
    auc = auc_interval(scores[member], scores[~member], CONFIDENCE_LEVEL)
    row_index = seen.people.place[: seen.targets]
    twins = int(np.isin(row_index[~member], row_index[member]).sum())
    p_value = _split_p_value(features, member)
    differs_warnings = [DIFFERS_WARNING] if auc.low > 0.5 and p_value < ALPHA else []
    warnings = tuple(differs_warnings + _reference_twin_warnings(seen, member))
    strata = PropensityStrata.of(scores, member)
    holds_members = _has_too_many_twins(row_index[member], row_index[~member], twins)
    return ControlTest(auc, twins, warnings, p_value, strata, holds_members)


def _has_too_many_twins(members: np.ndarray, controls: np.ndarray, twins: int) -> bool:
    """Whether controls have equals among the members more often than other members have."""
    sizes = np.bincount(members)
    with_twin = int((sizes[members] > 1).sum())
    expected_high = wilson(with_twin, len(members), SURE_LEVEL)[1]
    return wilson(twins, len(controls), SURE_LEVEL)[0] > expected_high


def _split_p_value(features: np.ndarray, member: np.ndarray) -> float:
    """How often a random split of these people is explained as well by a linear regression.

    The share that it explains then has a beta distribution (Pitman 1937).
    """
    rows = features - features.mean(axis=0)
    label = member - member.mean()
    eigenvalues, eigenvectors = np.linalg.eigh(rows.T @ rows)
    is_kept = eigenvalues > eigenvalues.max(initial=0.0) * MIN_EIGENVALUE_SHARE
    rank, degrees_left = int(is_kept.sum()), len(member) - int(is_kept.sum()) - 1
    if not rank or degrees_left < 1:
        return 1.0
    projections = eigenvectors[:, is_kept].T @ (rows.T @ label)
    explained = float((projections**2 / eigenvalues[is_kept]).sum() / (label @ label))
    return float(betaincc(rank / 2, degrees_left / 2, min(explained, 1.0)))


def _reference_twin_warnings(seen: AttackerObservation, member: np.ndarray) -> list[Message]:
    """Warn if members have equals in the reference beyond what controls have, or the reverse."""
    if not seen.reference:
        return []
    has_twin = seen.scores_of_targets(seen.reference_times) > 0
    (m_low, m_high), (c_low, c_high) = (
        wilson(int(has_twin[side].sum()), int(side.sum()), SURE_LEVEL) for side in (member, ~member)
    )
    if m_low > c_high:
        return [REFERENCE_HOLDS_MEMBERS_WARNING]
    return [REFERENCE_HOLDS_CONTROL_WARNING] if c_low > m_high else []


def _encode_features(seen: AttackerObservation) -> np.ndarray:
    """Frequent categories as 0 and 1, numbers and their squares."""
    points, row_index = people_points(seen), seen.people.place[: seen.targets]
    feature_columns = []
    for column in points.codes[row_index].T:
        counts = np.bincount(column)
        frequent = np.argsort(-counts, kind="stable")[: MAX_FEATURES // 4]
        frequent = frequent[(counts[frequent] >= 20) & (counts[frequent] < len(column))]
        feature_columns += [(column == value).astype(np.float64) for value in frequent]
    for numbers in points.numbers[row_index].T:
        if np.ptp(numbers) > 0:
            share = (numbers - numbers.min()) / np.ptp(numbers)
            scaled = np.clip((share - share.mean()) / share.std(), -5, 5)
            feature_columns += [scaled, scaled**2 - 1]
    if not feature_columns:
        return np.zeros((seen.targets, 0))
    return np.stack(feature_columns[:MAX_FEATURES], axis=1)


FOLDS = 5
RIDGE_PENALTY = 1.0
MAX_NEWTON_STEPS = 25


def out_of_fold_scores(
    features: np.ndarray, label: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """For every row the score of a model fitted on the other four fifths."""
    scores = np.zeros(len(label))
    for fit_rows, test_rows in split_folds(label, generator):
        weights = fit_logistic(features[fit_rows], label[fit_rows])
        scores[test_rows] = features[test_rows] @ weights[1:] + weights[0]
    return scores


def split_folds(
    label: np.ndarray, generator: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Five pairs of rows to fit on and rows to judge, both labels in each as in the whole."""
    fold_of = np.empty(len(label), dtype=np.int64)
    for side in (True, False):
        rows = generator.permutation(np.flatnonzero(label == side))
        fold_of[rows] = np.arange(len(rows)) % FOLDS
    for fold in range(FOLDS):
        yield np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)


def fit_logistic(features: np.ndarray, label: np.ndarray) -> np.ndarray:
    """The weights, the constant first, by Newton's method."""
    rows = np.column_stack([np.ones(len(label)), features])
    weights = np.zeros(rows.shape[1])
    ridge = np.full(len(weights), RIDGE_PENALTY)
    ridge[0] = 1e-9
    for _ in range(MAX_NEWTON_STEPS):
        chance = expit(rows @ weights)
        gradient = rows.T @ (label - chance) - ridge * weights
        hessian = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(hessian, gradient)
        weights = weights + step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def rank_to_normal(scores: np.ndarray) -> np.ndarray:
    """Scores as quantiles of the normal distribution; equal ones stay equal."""
    return np.asarray(ndtri((rankdata(scores) - 0.5) / len(scores)))
