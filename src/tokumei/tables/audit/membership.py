"""Membership inference: all attacks, the strongest, an ensemble, ceiling and groups.

Groups are the rarest people, and those of a value that a user names.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.kernels.nearest import find_nearest
from tokumei.tables.audit.attack_statistics import (
    Interval,
    MembershipFigures,
    auc_interval,
    true_positive_rate,
)
from tokumei.tables.audit.attacker_view import AttackerObservation
from tokumei.tables.audit.attacks.membership_attack import MembershipAttack, membership_attacks
from tokumei.tables.audit.control_test import PropensityStrata, out_of_fold_scores, rank_to_normal
from tokumei.tables.audit.distance_spaces import DistanceSpace, build_spaces, people_points

STACK_NAME = "stack"


@dataclass(frozen=True, eq=False)
class MembershipAttackResult:
    """One attack: its figures and how long it took."""

    name: str
    title: Message
    figures: MembershipFigures
    seconds: float


@dataclass(frozen=True, eq=False)
class MembershipResult:
    """What attacks on membership found.

    `strongest` is the name of the attack with the highest AUC, `corrected` its interval at the
    level that takes into account how many attacks were made. `rates` are the members found by the
    attack that finds the most, at the same level; `finders` names it. `stack` knows some members.
    `reweighted` is the AUC of the strongest attack against controls weighted to be like the
    members, where they are not.
    """

    attacks: dict[str, MembershipAttackResult]
    skipped: dict[str, Message]
    strongest: str
    corrected: Interval
    rates: dict[float, Interval]
    finders: dict[float, str]
    stack: MembershipFigures | None
    ceiling: MembershipFigures
    groups: list[GroupFigures]
    reweighted: Interval | None = None

    @property
    def best(self) -> MembershipFigures:
        """The figures of the strongest attack."""
        return self.attacks[self.strongest].figures

    def as_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "attacks": {
                name: {**entry.figures.as_json(), "seconds": entry.seconds}
                for name, entry in self.attacks.items()
            },
            "skipped": {name: reason.show("en") for name, reason in self.skipped.items()},
            "strongest": {
                "attack": self.strongest,
                "auc": self.corrected.value,
                "auc_low": self.corrected.low,
                "auc_high": self.corrected.high,
                "tpr": {
                    f"{rate:g}": {**entry.as_json(), "attack": self.finders[rate]}
                    for rate, entry in self.rates.items()
                },
            },
            "stack": None if self.stack is None else self.stack.as_json(),
            "ceiling": self.ceiling.as_json(),
            "reweighted": None if self.reweighted is None else self.reweighted.as_json(),
            "groups": [group.as_json() for group in self.groups],
        }


def audit_membership(
    seen: AttackerObservation,
    ceiling: AttackerObservation,
    member: np.ndarray,
    groups: Mapping[str, pl.Series],
    strata: PropensityStrata | None = None,
    *,
    rng: Randomness,
) -> MembershipResult:
    """Make all attacks and judge them; `member` tells who of the targets is one.

    `ceiling` is the same with the members themselves as release. `strata`, where the control
    differs.
    """
    spaces = build_spaces(seen)
    attacks, scores, skipped = _score_targets(seen, spaces)
    attacked = {
        name: MembershipAttackResult(name, title, _compute_figures(scores[name], member), seconds)
        for name, (title, seconds) in attacks.items()
    }
    best_name = max(attacked, key=lambda name: attacked[name].figures.auc.value)
    level = 1 - 0.05 / len(attacked)
    finders = _best_attack_per_rate(attacked, best_name)
    scores_by_side = {name: (scores[name][member], scores[name][~member]) for name in attacked}
    is_rare = find_rarest(seen, spaces[""] if seen.exact else None)
    return MembershipResult(
        attacked,
        skipped,
        best_name,
        auc_interval(*scores_by_side[best_name], level),
        {
            rate: true_positive_rate(*scores_by_side[name], rate, level)
            for rate, name in finders.items()
        },
        finders,
        _stack_attacks(scores, member, rng.child(STACK_NAME)),
        _compute_figures(membership_attacks.build("box").scores(ceiling), member),
        compute_group_figures(scores[best_name], member, is_rare, groups),
        None if strata is None else strata.auc(scores[best_name], member, level),
    )


def _best_attack_per_rate(
    attacked: Mapping[str, MembershipAttackResult], best_name: str
) -> dict[float, str]:
    """For every rate of false alarms the attack that finds the most; of equals the strongest."""
    names = [best_name, *(name for name in attacked if name != best_name)]
    return {
        rate: max(names, key=lambda name: attacked[name].figures.tpr[rate].value)
        for rate in attacked[best_name].figures.tpr
    }


def _score_targets(
    seen: AttackerObservation, spaces: dict[str, DistanceSpace]
) -> tuple[dict[str, tuple[Message, float]], dict[str, np.ndarray], dict[str, Message]]:
    attack_infos: dict[str, tuple[Message, float]] = {}
    scores: dict[str, np.ndarray] = {}
    skipped: dict[str, Message] = {}
    for name in track_progress(list(membership_attacks.names()), Message("attacks")):
        attack: MembershipAttack = membership_attacks.build(name)
        if (reason := attack.missing(seen)) is not None:
            skipped[name] = reason
            continue
        started = time.process_time()
        variant_scores = attack.variants(seen, spaces)
        seconds = (time.process_time() - started) / max(len(variant_scores), 1)
        for variant, target_scores in variant_scores.items():
            attack_infos[variant], scores[variant] = (
                (attack.title, seconds),
                _require_valid_scores(target_scores, seen, name),
            )
    return attack_infos, scores, skipped


def _require_valid_scores(scores: np.ndarray, seen: AttackerObservation, name: str) -> np.ndarray:
    """Scores of the right number, none of them NaN."""
    checked_scores = np.asarray(scores, dtype=np.float64)
    if checked_scores.shape != (seen.targets,) or np.isnan(checked_scores).any():
        raise ValueError(f"{name}: one score per target is needed")
    return checked_scores


def _compute_figures(scores: np.ndarray, member: np.ndarray) -> MembershipFigures:
    return MembershipFigures.of(scores[member], scores[~member])


def _stack_attacks(
    scores: Mapping[str, np.ndarray], member: np.ndarray, rng: Randomness
) -> MembershipFigures | None:
    """All attacks together, each target judged by a regression fitted on others."""
    varied_scores = [
        rank_to_normal(attack_scores)
        for attack_scores in scores.values()
        if attack_scores.min() < attack_scores.max()
    ]
    if len(varied_scores) < 2:
        return None
    features = np.stack(varied_scores, axis=1)
    return _compute_figures(out_of_fold_scores(features, member, rng.generator), member)


RAREST_SHARE, MAX_RARE_SHARE = 0.01, 0.1
MIN_GROUP_SIZE = 30


@dataclass(frozen=True)
class GroupFigures:
    """A group of targets: how well its members are told, if there are enough of them."""

    title: Message
    members: int
    control: int
    auc: Interval | None

    def as_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "group": self.title.show("en"),
            "members": self.members,
            "control": self.control,
            "auc": None if self.auc is None else self.auc.as_json(),
            "too_few": self.auc is None,
        }


def find_rarest(seen: AttackerObservation, space: DistanceSpace | None = None) -> np.ndarray:
    """Which targets are the 1 % farthest from everybody else.

    From the reference, or without one from the other targets. All who tie at the border are in,
    unless they were a tenth of all. `space` has distances that attacks asked for before.
    """
    space = space or DistanceSpace(seen, people_points(seen), people_points(seen))
    if seen.reference:
        distances = space.scores_of_targets(space.target_reference.far[:, 0])
    else:
        _, nearest_distances = find_nearest(space.people.take(space.asked), space.people, 2)
        is_alone = seen.people.times[space.asked] == 1
        distances = space.scores_of_targets(np.where(is_alone, nearest_distances[:, -1], 0.0))
    border = np.quantile(distances, 1 - RAREST_SHARE)
    is_rare = np.asarray(distances >= border)
    return is_rare if is_rare.mean() < MAX_RARE_SHARE else np.asarray(distances > border)


def compute_group_figures(
    scores: np.ndarray, member: np.ndarray, is_rare: np.ndarray, groups: Mapping[str, pl.Series]
) -> list[GroupFigures]:
    """The figure of every group, at a level that takes into account how many there are."""
    rarest = Message("the rarest people ({share:percent})", share=float(is_rare.mean()))
    group_masks = {rarest: is_rare}
    for name, values in groups.items():
        for value in values.unique().sort(nulls_last=False):
            label = f"{name} = {'' if value is None else value}"
            group_masks[Message.verbatim(label)] = values.eq_missing(value).to_numpy()
    level, figures = 1 - 0.05 / len(group_masks), []
    for title, is_member_of_group in group_masks.items():
        member_scores, control_scores = (
            scores[is_member_of_group & member],
            scores[is_member_of_group & ~member],
        )
        is_large_enough = min(len(member_scores), len(control_scores)) >= MIN_GROUP_SIZE
        figures.append(
            GroupFigures(
                title,
                len(member_scores),
                len(control_scores),
                auc_interval(member_scores, control_scores, level) if is_large_enough else None,
            )
        )
    return figures
