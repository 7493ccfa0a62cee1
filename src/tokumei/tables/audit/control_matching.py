"""Matches members with controls who fit the same cells, or are nearest in the QI."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.json_types import JsonObject
from tokumei.kernels.nearest import find_within_reach
from tokumei.tables.audit.attack_statistics import Interval, risk_above_control
from tokumei.tables.audit.attacker_view import AttackerObservation, iterate_fitting_people
from tokumei.tables.audit.distance_spaces import DISTANCE_DECIMALS, NearestRows, people_points

MIN_MATCHES = 5
"""Controls that a member is compared with, at least."""


@dataclass(frozen=True)
class MatchedRisk:
    """Success on members and on controls who are like them, and the risk above these."""

    members: float
    control: float
    risk: Interval

    def as_json(self) -> JsonObject:
        """As plain data."""
        return {
            "members": self.members,
            "control": self.control,
            "risk": self.risk.value,
            "low": self.risk.low,
            "high": self.risk.high,
        }


@dataclass(frozen=True, eq=False)
class ControlMatching:
    """How much every control counts so that the controls are like the members.

    Where cells are generalized, a member is matched with the controls who fit the same cells; one
    who fits those of several rows is shared among them, as `box` shares it. Other members, and
    those whose cells no control fits, are matched with the five controls nearest to them, and with
    all who are as near as the fifth. The matched share the match.
    """

    member: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, seen: AttackerObservation, member: np.ndarray) -> ControlMatching:
        """By the columns that are seen."""
        row_index = seen.people.place[: seen.targets]
        members, controls = (
            np.bincount(row_index[side], minlength=len(seen.people)) for side in (member, ~member)
        )
        control_weights = np.zeros(len(seen.people))
        if not seen.exact:
            control_weights, members = _match_by_cells(seen, members, controls)
        if members.any():
            control_weights = control_weights + _match_by_distance(seen, members, controls)
        return cls(member, control_weights[row_index[~member]] / member.sum())

    def risk(self, right: np.ndarray) -> MatchedRisk:
        """The risk of guesses that are right or not; of so many controls as the weights are worth.

        Controls that count much are fewer (Kish 1965).
        """
        member_right, control_right = right[self.member], right[~self.member]
        member_share, control_share = (
            float(member_right.mean()),
            min(1.0, float(self.weights @ control_right)),
        )
        effective_controls = 1 / float((self.weights**2).sum())
        return MatchedRisk(
            member_share,
            control_share,
            risk_above_control(
                member_share * len(member_right),
                len(member_right),
                control_share * effective_controls,
                effective_controls,
            ),
        )


def _match_by_cells(
    seen: AttackerObservation, members: np.ndarray, controls: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What each control of a distinct row counts, and the members whose cells no control fits."""
    total, control_weights = np.zeros(len(members)), np.zeros(len(members))
    odds = np.zeros(len(seen.classes))
    for block, fits in iterate_fitting_people(seen):
        people_inside = np.maximum(fits @ seen.rivals, 0.5)
        odds[block] = (fits @ controls > 0) * seen.classes.times[block] / people_inside
        total += fits.T @ odds[block]
    is_matched = total > 0
    member_parts = np.divide(members, total, out=np.zeros(len(total)), where=is_matched)
    for block, fits in iterate_fitting_people(seen):
        control_weights += fits.T @ (
            odds[block] * (fits @ member_parts) / np.maximum(fits @ controls, 1)
        )
    return control_weights, np.where(is_matched, 0, members)


def _match_by_distance(
    seen: AttackerObservation, members: np.ndarray, controls: np.ndarray
) -> np.ndarray:
    """What each control of a distinct row counts for members by the nearest five."""
    points = people_points(seen)
    member_rows, control_rows = np.flatnonzero(members), np.flatnonzero(controls)
    member_points, control_points = points.take(member_rows), points.take(control_rows)
    nearest_controls = NearestRows.of(member_points, control_points)
    last_needed = (
        np.cumsum(controls[control_rows][nearest_controls.found], axis=1) < MIN_MATCHES
    ).sum(axis=1)
    last = np.minimum(last_needed, nearest_controls.far.shape[1] - 1)[:, None]
    max_distance = np.take_along_axis(nearest_controls.far, last, axis=1).ravel()
    first, member_index, _ = find_within_reach(
        control_points, member_points, max_distance + 10.0**-DISTANCE_DECIMALS
    )
    control = np.repeat(control_rows, np.diff(first))
    match_counts = np.bincount(member_index, controls[control], minlength=len(member_rows))
    return np.bincount(
        control, (members[member_rows] / match_counts)[member_index], minlength=len(members)
    )
