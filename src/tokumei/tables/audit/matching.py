"""Members against the controls who are most like them in the quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from tokumei.kernels.near import nearest
from tokumei.tables.audit.intervals import Interval
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.spaces import people_points


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

    Every member is matched with the controls nearest to it; equal ones share the match.
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
        found, _ = nearest(points.take(asked), points.take(there), 1)
        matched = np.bincount(there[found[:, 0]], members[asked], minlength=len(seen.people))
        share = matched / np.maximum(controls, 1) / member.sum()
        return cls(member, share[place[~member]])

    def risk(self, right: np.ndarray) -> Matched:
        """The risk of guesses that are right or not."""
        mine, others = right[self.member], right[~self.member]
        a, c = float(mine.mean()), float(self.weights @ others)
        spread = c * (1 - c) * float((self.weights**2).sum())
        half = float(ndtri(0.975)) * (a * (1 - a) / len(mine) + spread) ** 0.5
        left = max(1 - c, 1e-12)
        ends = (a - c - half) / left, min(1.0, (a - c + half) / left)
        return Matched(a, c, Interval((a - c) / left, *ends))
