"""Membership attacks by distance to the release: `dcr`, `dcr-rare`, `local`, `ratio`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.messages import Message
from tokumei.tables.audit.attacks.membership_attack import DistanceAttack
from tokumei.tables.audit.distance_spaces import (
    DISTANCE_DECIMALS,
    DISTANCE_EPSILON,
    TIE_WEIGHT,
    DistanceSpace,
    NearestRows,
)


@dataclass(frozen=True)
class ClosestRowAttack(DistanceAttack):
    """The distance to the closest released row."""

    name: ClassVar[str] = "dcr"
    title: ClassVar[Message] = Message("closest released row")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if they are close to some released row."
    )
    formula: ClassVar[str] = "−d(x, Y)"

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """Minus the distance."""
        return space.scores_of_targets(-space.target_release.far[:, 0])


@dataclass(frozen=True)
class DcrRare(ClosestRowAttack):
    """The same, and of those who are equally near the ones with fewer rows around them.

    Thousands may have an equal row; an equal of somebody rare is less likely to be another's.
    """

    name: ClassVar[str] = "dcr-rare"
    title: ClassVar[Message] = Message("closest released row, rare people first")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if they are close to some released row; of equally close people "
        "it prefers those who are far from the other rows."
    )
    formula: ClassVar[str] = "−d(x, Y) + 10⁻⁶ · mean d₁…₁₀(x, Y)"

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """Distances to ten different rows break the ties."""
        mean_distances = np.round(space.target_release.far.mean(axis=1), DISTANCE_DECIMALS)
        return super().scores_in(space) + TIE_WEIGHT * space.scores_of_targets(mean_distances)


@dataclass(frozen=True)
class LocalDistanceAttack(DistanceAttack):
    """The closest released row against the next ones."""

    name: ClassVar[str] = "local"
    title: ClassVar[Message] = Message("closest row against the next ones")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if their closest released row is much closer than the next three."
    )
    formula: ClassVar[str] = "log mean d₂…₄(x, Y) − log d(x, Y)"

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """By the first four, equal rows counted as often as they are there."""
        distances = repeated_distances(space.target_release, space.seen.classes.times, 4)
        next_distances = (
            distances[:, 1:].mean(axis=1) if distances.shape[1] > 1 else distances[:, 0]
        )
        return space.scores_of_targets(
            np.log(next_distances + DISTANCE_EPSILON) - np.log(distances[:, 0] + DISTANCE_EPSILON)
        )


@dataclass(frozen=True)
class DistanceRatioAttack(DistanceAttack):
    """Closer to the release than to the reference."""

    name: ClassVar[str] = "ratio"
    title: ClassVar[Message] = Message("release against reference")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if they are closer to the release than to the reference."
    )
    formula: ClassVar[str] = "log d(x, R) − log d(x, Y)"
    needs_reference: ClassVar[bool] = True

    nearest: int = 1

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """By the mean distance of the nearest rows of each."""
        seen = space.seen
        release_distance = repeated_distances(
            space.target_release, seen.classes.times, self.nearest
        ).mean(axis=1)
        reference_distance = repeated_distances(
            space.target_reference, seen.reference_times, self.nearest
        ).mean(axis=1)
        return space.scores_of_targets(
            np.log(reference_distance + DISTANCE_EPSILON)
            - np.log(release_distance + DISTANCE_EPSILON)
        )


@dataclass(frozen=True)
class Ratio3(DistanceRatioAttack):
    """The same by the three nearest."""

    name: ClassVar[str] = "ratio-3"
    title: ClassVar[Message] = Message("release against reference, three nearest")
    formula: ClassVar[str] = "log mean d₁…₃(x, R) − log mean d₁…₃(x, Y)"

    nearest: int = 3


def repeated_distances(nearest_rows: NearestRows, times: np.ndarray, max_rank: int) -> np.ndarray:
    """The distances of the nearest rows where each counts as often as it occurs."""
    cumulative_times = np.cumsum(times[nearest_rows.found], axis=1)
    ranks = np.arange(1, min(max_rank, int(cumulative_times[:, -1].min())) + 1)
    position = (cumulative_times[:, None, :] < ranks[None, :, None]).sum(axis=2)
    return np.take_along_axis(nearest_rows.far, position, axis=1)
