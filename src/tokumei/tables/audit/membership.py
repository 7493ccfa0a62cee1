"""Was this person in the data? All attacks, their strongest, an ensemble, ceiling and groups.

Groups are the rarest people, and those of a value that a user names.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.figures import percent
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.kernels.near import nearest
from tokumei.tables.audit.attacks.protocol import MembershipAttack, membership_attacks
from tokumei.tables.audit.control_test import Strata, out_of_fold, rank_normal
from tokumei.tables.audit.figures import Figures, Interval, auc_interval, true_rate
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.spaces import Space, people_points, spaces_of

STACK = "stack"


@dataclass(frozen=True, eq=False)
class Attacked:
    """One attack: its figures and how long it took."""

    name: str
    title: Text
    figures: Figures
    seconds: float


@dataclass(frozen=True, eq=False)
class Membership:
    """What attacks on membership found.

    `strongest` is the name of the attack with the highest AUC, `corrected` its interval at the
    level that takes into account how many attacks were made. `rates` are the members found by the
    attack that finds the most, at the same level; `finders` names it. `stack` knows some members.
    `reweighted` is the AUC of the strongest attack against controls weighted to be like the
    members, where they are not.
    """

    attacks: dict[str, Attacked]
    skipped: dict[str, Text]
    strongest: str
    corrected: Interval
    rates: dict[float, Interval]
    finders: dict[float, str]
    stack: Figures | None
    ceiling: Figures
    groups: list[Group]
    reweighted: Interval | None = None

    @property
    def best(self) -> Figures:
        """The figures of the strongest attack."""
        return self.attacks[self.strongest].figures

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "attacks": {
                name: {**one.figures.as_json(), "seconds": one.seconds}
                for name, one in self.attacks.items()
            },
            "skipped": {name: reason.en for name, reason in self.skipped.items()},
            "strongest": {
                "attack": self.strongest,
                "auc": self.corrected.value,
                "auc_low": self.corrected.low,
                "auc_high": self.corrected.high,
                "tpr": {
                    f"{f:g}": {**one.as_json(), "attack": self.finders[f]}
                    for f, one in self.rates.items()
                },
            },
            "stack": None if self.stack is None else self.stack.as_json(),
            "ceiling": self.ceiling.as_json(),
            "reweighted": None if self.reweighted is None else self.reweighted.as_json(),
            "groups": [group.as_json() for group in self.groups],
        }


def membership(
    seen: Seen,
    ceiling: Seen,
    member: np.ndarray,
    groups: Mapping[str, pl.Series],
    strata: Strata | None = None,
    *,
    rng: Randomness,
) -> Membership:
    """Make all attacks and judge them; `member` tells who of the targets is one.

    `ceiling` is the same with the members themselves as release. `strata`, where the control
    differs.
    """
    spaces = spaces_of(seen)
    attacks, scores, skipped = _scores(seen, spaces)
    attacked = {
        name: Attacked(name, title, _judged(scores[name], member), seconds)
        for name, (title, seconds) in attacks.items()
    }
    best = max(attacked, key=lambda name: attacked[name].figures.auc.value)
    level = 1 - 0.05 / len(attacked)
    finders = _finders(attacked, best)
    sides = {name: (scores[name][member], scores[name][~member]) for name in attacked}
    rare = rarest(seen, spaces[""] if seen.exact else None)
    return Membership(
        attacked,
        skipped,
        best,
        auc_interval(*sides[best], level),
        {f: true_rate(*sides[name], f, level) for f, name in finders.items()},
        finders,
        _stacked(scores, member, rng.child(STACK)),
        _judged(membership_attacks.build("box").scores(ceiling), member),
        group_figures(scores[best], member, rare, groups),
        None if strata is None else strata.auc(scores[best], member, level),
    )


def _finders(attacked: Mapping[str, Attacked], best: str) -> dict[float, str]:
    """For every rate of false alarms the attack that finds the most; of equals the strongest."""
    names = [best, *(name for name in attacked if name != best)]
    return {
        f: max(names, key=lambda name: attacked[name].figures.tpr[f].value)
        for f in attacked[best].figures.tpr
    }


def _scores(
    seen: Seen, spaces: dict[str, Space]
) -> tuple[dict[str, tuple[Text, float]], dict[str, np.ndarray], dict[str, Text]]:
    told: dict[str, tuple[Text, float]] = {}
    scores: dict[str, np.ndarray] = {}
    skipped: dict[str, Text] = {}
    for name in track(list(membership_attacks.names()), Text("attacks", "攻撃")):
        attack: MembershipAttack = membership_attacks.build(name)
        if (reason := attack.missing(seen)) is not None:
            skipped[name] = reason
            continue
        started = time.process_time()
        made = attack.variants(seen, spaces)
        seconds = (time.process_time() - started) / max(len(made), 1)
        for variant, found in made.items():
            told[variant], scores[variant] = (attack.title, seconds), _checked(found, seen, name)
    return told, scores, skipped


def _checked(scores: np.ndarray, seen: Seen, name: str) -> np.ndarray:
    """Scores of the right number, none of them NaN."""
    found = np.asarray(scores, dtype=np.float64)
    if found.shape != (seen.targets,) or np.isnan(found).any():
        raise ValueError(f"{name}: one score per target is needed")
    return found


def _judged(scores: np.ndarray, member: np.ndarray) -> Figures:
    return Figures.of(scores[member], scores[~member])


def _stacked(
    scores: Mapping[str, np.ndarray], member: np.ndarray, rng: Randomness
) -> Figures | None:
    """All attacks together, each target judged by a regression fitted on others."""
    varied = [rank_normal(one) for one in scores.values() if one.min() < one.max()]
    if len(varied) < 2:
        return None
    features = np.stack(varied, axis=1)
    return _judged(out_of_fold(features, member, rng.generator), member)


RAREST, MOST_RARE = 0.01, 0.1
FEWEST = 30


@dataclass(frozen=True)
class Group:
    """A group of targets: how well its members are told, if there are enough of them."""

    title: Text
    members: int
    control: int
    auc: Interval | None

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "group": self.title.en,
            "members": self.members,
            "control": self.control,
            "auc": None if self.auc is None else self.auc.as_json(),
            "too_few": self.auc is None,
        }


def rarest(seen: Seen, space: Space | None = None) -> np.ndarray:
    """Which targets are the 1 % farthest from everybody else.

    From the reference, or without one from the other targets. All who tie at the border are in,
    unless they were a tenth of all. `space` has distances that attacks asked for before.
    """
    space = space or Space(seen, people_points(seen), people_points(seen))
    if seen.reference:
        found = space.of_targets(space.target_reference.far[:, 0])
    else:
        _, both = nearest(space.people.take(space.asked), space.people, 2)
        alone = seen.people.times[space.asked] == 1
        found = space.of_targets(np.where(alone, both[:, -1], 0.0))
    border = np.quantile(found, 1 - RAREST)
    rare = np.asarray(found >= border)
    return rare if rare.mean() < MOST_RARE else np.asarray(found > border)


def group_figures(
    scores: np.ndarray, member: np.ndarray, rare: np.ndarray, groups: Mapping[str, pl.Series]
) -> list[Group]:
    """The figure of every group, at a level that takes into account how many there are."""
    share = percent(float(rare.mean()))
    chosen = {Text(f"the rarest people ({share})", f"最も珍しい人（{share}）"): rare}
    for name, values in groups.items():
        for value in values.unique().sort(nulls_last=False):
            label = f"{name} = {'' if value is None else value}"
            chosen[Text(label, label)] = values.eq_missing(value).to_numpy()
    level, found = 1 - 0.05 / len(chosen), []
    for title, inside in chosen.items():
        m, c = scores[inside & member], scores[inside & ~member]
        enough = min(len(m), len(c)) >= FEWEST
        found.append(Group(title, len(m), len(c), auc_interval(m, c, level) if enough else None))
    return found
