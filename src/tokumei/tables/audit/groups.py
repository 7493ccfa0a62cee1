"""The strongest attack on groups: the rarest people, and those of a value that a user names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.kernels.near import nearest
from tokumei.tables.audit.figures import auc_interval
from tokumei.tables.audit.intervals import Interval
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.spaces import Space, people_points

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
        found = None if self.auc is None else self.auc.as_json()
        return {
            "group": self.title.en,
            "members": self.members,
            "control": self.control,
            "auc": found,
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
    chosen = {
        Text(f"the rarest people ({share})", f"最も珍しい人（{share}）"): rare,
    }
    for name, values in groups.items():
        for value in values.unique().sort(nulls_last=False):
            title = f"{name} = {'' if value is None else value}"
            chosen[Text(title, title)] = values.eq_missing(value).to_numpy()
    level = 1 - 0.05 / len(chosen)
    return [_group(title, scores, member, inside, level) for title, inside in chosen.items()]


def _group(
    title: Text, scores: np.ndarray, member: np.ndarray, inside: np.ndarray, level: float
) -> Group:
    m, c = scores[inside & member], scores[inside & ~member]
    enough = len(m) >= FEWEST and len(c) >= FEWEST
    return Group(title, len(m), len(c), auc_interval(m, c, level) if enough else None)
