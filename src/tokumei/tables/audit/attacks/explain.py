"""Membership attacks by who best explains a released row: `explain`, `explain-sum`.

Every released row is asked whose it is: the person nearest to it, the more so the farther the next
one is. Together the rivals are all known people, alone they are the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.messages import Message
from tokumei.kernels.nearest import find_within_reach
from tokumei.tables.audit.attacks.membership_attack import DistanceAttack
from tokumei.tables.audit.distance_spaces import (
    DISTANCE_DECIMALS,
    DISTANCE_EPSILON,
    TIE_WEIGHT,
    DistanceSpace,
)

BLOCK = 1 << 16
"""Released rows at a time, so that a million of them fit into the memory."""


@dataclass(frozen=True, eq=False)
class RowPersonPairs:
    """Released rows and people near to them: distance, and that of the nearest rival."""

    row: np.ndarray
    person: np.ndarray
    far: np.ndarray
    rival: np.ndarray
    share: np.ndarray
    """The person's part of the row, by a kernel half as wide as the nearest person is far."""


@dataclass(frozen=True)
class BestExplanationAttack(DistanceAttack):
    """The best explanation of any released row."""

    name: ClassVar[str] = "explain"
    title: ClassVar[Message] = Message("explains a row best")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if they are much nearer to some released row than anybody else "
        "is."
    )
    formula: ClassVar[str] = "max_y log d(y, nearest other) − log d(y, x)"
    rivals_needed: ClassVar[bool] = True

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """The maximum over rows, the sum breaking its ties."""
        best = np.full(len(space.seen.people), -np.inf)
        sums, lowest_gain = np.zeros(len(best)), 0.0
        for pairs in iterate_pairs(space):
            gain = np.log(pairs.rival + DISTANCE_EPSILON) - np.log(pairs.far + DISTANCE_EPSILON)
            lowest_gain = float(gain.min(initial=lowest_gain))
            np.maximum.at(best, pairs.person, gain)
            sums += _sum_shares(space, pairs)
        best = np.where(np.isneginf(best), lowest_gain - 1, best)
        return space.seen.scores_of_targets(best + TIE_WEIGHT * np.round(sums, DISTANCE_DECIMALS))


@dataclass(frozen=True)
class ExplainSum(DistanceAttack):
    """The parts of all released rows that a person explains."""

    name: ClassVar[str] = "explain-sum"
    title: ClassVar[Message] = Message("explains many rows")
    sentence: ClassVar[Message] = Message(
        "Shares every released row among the people near it and adds up everybody's parts."
    )
    formula: ClassVar[str] = "Σ_y w(y, x) / Σ_p w(y, p), w = exp(−(d / h_y)² / 2)"
    rivals_needed: ClassVar[bool] = True

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """The sum of all parts."""
        sums = np.zeros(len(space.seen.people))
        for pairs in iterate_pairs(space):
            sums += _sum_shares(space, pairs)
        return space.seen.scores_of_targets(np.round(sums, DISTANCE_DECIMALS))


def iterate_pairs(space: DistanceSpace) -> Iterator[RowPersonPairs]:
    """Blocks of released rows with the people among whose ten nearest they are."""
    find_pairs = _pairs_among_people if space.seen.together else _weigh_pairs_against_reference
    for begin in range(0, space.release.rows, BLOCK):
        yield find_pairs(space, np.arange(begin, min(begin + BLOCK, space.release.rows)))


def _sum_shares(space: DistanceSpace, pairs: RowPersonPairs) -> np.ndarray:
    times = space.seen.classes.times[pairs.row]
    return np.bincount(pairs.person, times * pairs.share, minlength=len(space.seen.people))


def _pairs_among_people(space: DistanceSpace, rows: np.ndarray) -> RowPersonPairs:
    nearest_people, times = space.release_people.take(rows), space.seen.people.times
    neighbour_count = nearest_people.far.shape[1]
    first_distance = nearest_people.far[:, :1]
    second_distance = nearest_people.far[:, 1:2] if neighbour_count > 1 else first_distance
    rival = np.broadcast_to(first_distance, nearest_people.far.shape).copy()
    # The nearest person's rival is the next one, unless there are twins.
    has_twin = times[nearest_people.found[:, 0]] > 1
    rival[:, 0] = np.where(has_twin, first_distance[:, 0], second_distance[:, 0])
    weight = _kernel_weight(nearest_people.far, first_distance)
    total = (weight * nearest_people.times(times)).sum(axis=1, keepdims=True)
    all_columns = (
        np.repeat(rows[:, None], neighbour_count, axis=1),
        nearest_people.found,
        nearest_people.far,
        rival,
        weight / total,
    )
    return RowPersonPairs(*(pair_column[nearest_people.sure] for pair_column in all_columns))


def _weigh_pairs_against_reference(space: DistanceSpace, rows: np.ndarray) -> RowPersonPairs:
    nearest_reference, times = space.release_reference.take(rows), space.seen.reference_times
    max_distance = np.ascontiguousarray(nearest_reference.far[:, -1])
    first, row, distances = find_within_reach(
        space.people.take(space.asked), space.release.take(rows), max_distance
    )
    distances = np.round(distances, DISTANCE_DECIMALS)
    person = np.repeat(space.asked, np.diff(first))
    rival = nearest_reference.far[row, 0]
    nearest = np.minimum(distances, rival)
    own_weight = _kernel_weight(distances, nearest)
    reference_weight = (
        _kernel_weight(nearest_reference.far[row], nearest[:, None])
        * nearest_reference.times(times)[row]
    ).sum(axis=1)
    return RowPersonPairs(
        rows[row], person, distances, rival, own_weight / (own_weight + reference_weight)
    )


def _kernel_weight(distances: np.ndarray, nearest: np.ndarray) -> np.ndarray:
    width = np.maximum(nearest / 2, DISTANCE_EPSILON)
    return np.asarray(np.exp(-((distances / width) ** 2) / 2))
