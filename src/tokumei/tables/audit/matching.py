"""Members against the controls who fit the same cells, or are nearest in the quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.kernels.near import within
from tokumei.tables.audit.figures import Interval, risk_above_control
from tokumei.tables.audit.seen import Seen, fit_blocks
from tokumei.tables.audit.spaces import DIGITS, Near, people_points

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

    Where cells are generalized, a member is matched with the controls who fit the same cells; one
    who fits those of several rows is shared among them, as `box` shares it. Other members, and
    those whose cells no control fits, are matched with the five controls nearest to them, and with
    all who are as near as the fifth. The matched share the match.
    """

    member: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, seen: Seen, member: np.ndarray) -> Matching:
        """By the columns that are seen."""
        place = seen.people.place[: seen.targets]
        members, controls = (
            np.bincount(place[side], minlength=len(seen.people)) for side in (member, ~member)
        )
        found = np.zeros(len(seen.people))
        if not seen.exact:
            found, members = _by_cells(seen, members, controls)
        if members.any():
            found = found + _by_distance(seen, members, controls)
        return cls(member, found[place[~member]] / member.sum())

    def risk(self, right: np.ndarray) -> Matched:
        """The risk of guesses that are right or not; of so many controls as the weights are worth.

        Controls that count much are fewer (Kish 1965).
        """
        mine, others = right[self.member], right[~self.member]
        a, c = float(mine.mean()), min(1.0, float(self.weights @ others))
        worth = 1 / float((self.weights**2).sum())
        return Matched(a, c, risk_above_control(a * len(mine), len(mine), c * worth, worth))


def _by_cells(
    seen: Seen, members: np.ndarray, controls: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What each control of a distinct row counts, and the members whose cells no control fits."""
    total, found = np.zeros(len(members)), np.zeros(len(members))
    odds = np.zeros(len(seen.classes))
    for block, fits in fit_blocks(seen):
        inside = np.maximum(fits @ seen.rivals, 0.5)
        odds[block] = (fits @ controls > 0) * seen.classes.times[block] / inside
        total += fits.T @ odds[block]
    matched = total > 0
    part = np.divide(members, total, out=np.zeros(len(total)), where=matched)
    for block, fits in fit_blocks(seen):
        found += fits.T @ (odds[block] * (fits @ part) / np.maximum(fits @ controls, 1))
    return found, np.where(matched, 0, members)


def _by_distance(seen: Seen, members: np.ndarray, controls: np.ndarray) -> np.ndarray:
    """What each control of a distinct row counts for members by the nearest five."""
    points = people_points(seen)
    asked, there = np.flatnonzero(members), np.flatnonzero(controls)
    mine, others = points.take(asked), points.take(there)
    near = Near.of(mine, others)
    enough = (np.cumsum(controls[there][near.found], axis=1) < MATCHES).sum(axis=1)
    last = np.minimum(enough, near.far.shape[1] - 1)[:, None]
    reach = np.take_along_axis(near.far, last, axis=1).ravel()
    first, found, _ = within(others, mine, reach + 10.0**-DIGITS)
    control = np.repeat(there, np.diff(first))
    many = np.bincount(found, controls[control], minlength=len(asked))
    return np.bincount(control, (members[asked] / many)[found], minlength=len(members))
