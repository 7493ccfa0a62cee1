"""Members against the controls who are most like them in the quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.tables.audit.intervals import Interval, risk_above_control
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.spaces import Near, people_points

MATCHES = 5
"""Controls that a member is compared with, at least."""


@dataclass(frozen=True)
class Matched:
    """Success on members and on controls who are like them, and the risk above these."""

    members: float
    control: float
    risk: Interval

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "members": self.members,
            "control": self.control,
            "risk": self.risk.value,
            "low": self.risk.low,
            "high": self.risk.high,
        }


@dataclass(frozen=True, eq=False)
class Matching:
    """How much every control counts so that the controls are like the members.

    Every member is matched with the five controls nearest to it, and with all who are as near as
    the fifth; they share the match.
    """

    member: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, seen: Seen, member: np.ndarray) -> Matching:
        """By the columns that are seen."""
        place, points = seen.people.place[: seen.targets], people_points(seen)
        members, controls = (
            np.bincount(place[side], minlength=len(seen.people)) for side in (member, ~member)
        )
        asked, there = np.flatnonzero(members), np.flatnonzero(controls)
        near = Near.of(points.take(asked), points.take(there))
        times = controls[there][near.found]
        enough = (np.cumsum(times, axis=1) < MATCHES).sum(axis=1)
        last = np.minimum(enough, near.far.shape[1] - 1)[:, None]
        chosen = near.far <= np.take_along_axis(near.far, last, axis=1)
        share = chosen * (members[asked] / (times * chosen).sum(axis=1))[:, None]
        weights = np.bincount(near.found.ravel(), share.ravel(), minlength=len(there))
        everyone = np.zeros(len(seen.people))
        everyone[there] = weights / member.sum()
        return cls(member, everyone[place[~member]])

    def risk(self, right: np.ndarray) -> Matched:
        """The risk of guesses that are right or not; of so many controls as the weights are worth.

        Controls that count much are fewer (Kish 1965).
        """
        mine, others = right[self.member], right[~self.member]
        a, c = float(mine.mean()), min(1.0, float(self.weights @ others))
        worth = 1 / float((self.weights**2).sum())
        return Matched(a, c, risk_above_control(a * len(mine), len(mine), c * worth, worth))
