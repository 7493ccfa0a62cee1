"""Who explains a released row better than anybody else: `explain`, `explain-sum`.

Every released row is asked whose it is: the person nearest to it, the more so the farther the next
one is. Together the rivals are all known people, alone they are the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.text import Text
from tokumei.kernels.near import within
from tokumei.tables.audit.attacks.protocol import DistanceAttack
from tokumei.tables.audit.spaces import DIGITS, EPSILON, TIE, Space

BLOCK = 1 << 16
"""Released rows at a time, so that a million of them fit into the memory."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Released rows and people near to them: distance, and that of the nearest rival."""

    row: np.ndarray
    person: np.ndarray
    far: np.ndarray
    rival: np.ndarray
    share: np.ndarray
    """The person's part of the row, by a kernel half as wide as the nearest person is far."""


@dataclass(frozen=True)
class Explain(DistanceAttack):
    """The best explanation of any released row."""

    name: ClassVar[str] = "explain"
    title: ClassVar[Text] = Text("explains a row best", "公開行を最もよく説明する人")
    sentence: ClassVar[Text] = Text(
        "Takes those for members who are much nearer to some released row than anybody else.",
        "ある公開行に、ほかの誰よりもずっと近い人をメンバーとみなします。",
    )
    formula: ClassVar[str] = "max_y log d(y, nearest other) − log d(y, x)"
    rivals_needed: ClassVar[bool] = True

    def scores_in(self, space: Space) -> np.ndarray:
        """The maximum over rows, the sum breaking its ties."""
        best = np.full(len(space.seen.people), -np.inf)
        sums, least = np.zeros(len(best)), 0.0
        for pairs in blocks_of(space):
            gain = np.log(pairs.rival + EPSILON) - np.log(pairs.far + EPSILON)
            least = float(gain.min(initial=least))
            np.maximum.at(best, pairs.person, gain)
            sums += _sums(space, pairs)
        best = np.where(np.isneginf(best), least - 1, best)
        return space.seen.of_targets(best + TIE * np.round(sums, DIGITS))


@dataclass(frozen=True)
class ExplainSum(DistanceAttack):
    """The parts of all released rows that a person explains."""

    name: ClassVar[str] = "explain-sum"
    title: ClassVar[Text] = Text("explains many rows", "公開行を説明する割合の和")
    sentence: ClassVar[Text] = Text(
        "Shares every released row among the people near to it and adds up everybody's parts.",
        "公開行を近くの人々に割り振り、各人の取り分を合計します。",
    )
    formula: ClassVar[str] = "Σ_y w(y, x) / Σ_p w(y, p), w = exp(−(d / h_y)² / 2)"
    rivals_needed: ClassVar[bool] = True

    def scores_in(self, space: Space) -> np.ndarray:
        """The sum of all parts."""
        sums = np.zeros(len(space.seen.people))
        for pairs in blocks_of(space):
            sums += _sums(space, pairs)
        return space.seen.of_targets(np.round(sums, DIGITS))


def blocks_of(space: Space) -> Iterator[Pairs]:
    """Blocks of released rows with the people among whose ten nearest they are."""
    pairs = _together if space.seen.together else _alone
    for begin in range(0, space.release.rows, BLOCK):
        yield pairs(space, np.arange(begin, min(begin + BLOCK, space.release.rows)))


def _sums(space: Space, pairs: Pairs) -> np.ndarray:
    times = space.seen.classes.times[pairs.row]
    return np.bincount(pairs.person, times * pairs.share, minlength=len(space.seen.people))


def _together(space: Space, rows: np.ndarray) -> Pairs:
    near, times = space.release_people.take(rows), space.seen.people.times
    most = near.far.shape[1]
    first = near.far[:, :1]
    second = near.far[:, 1:2] if most > 1 else first
    rival = np.broadcast_to(first, near.far.shape).copy()
    # The nearest person's rival is the next one, unless there are twins.
    twins = times[near.found[:, 0]] > 1
    rival[:, 0] = np.where(twins, first[:, 0], second[:, 0])
    weight = _weight(near.far, first)
    total = (weight * near.times(times)).sum(axis=1, keepdims=True)
    every = np.repeat(rows[:, None], most, axis=1), near.found, near.far, rival, weight / total
    return Pairs(*(one[near.sure] for one in every))


def _alone(space: Space, rows: np.ndarray) -> Pairs:
    known, times = space.release_reference.take(rows), space.seen.reference_times
    reach = np.ascontiguousarray(known.far[:, -1])
    first, row, far = within(space.people.take(space.asked), space.release.take(rows), reach)
    far = np.round(far, DIGITS)
    person = np.repeat(space.asked, np.diff(first))
    rival = known.far[row, 0]
    nearest = np.minimum(far, rival)
    own = _weight(far, nearest)
    others = (_weight(known.far[row], nearest[:, None]) * known.times(times)[row]).sum(axis=1)
    return Pairs(rows[row], person, far, rival, own / (own + others))


def _weight(far: np.ndarray, nearest: np.ndarray) -> np.ndarray:
    width = np.maximum(nearest / 2, EPSILON)
    return np.asarray(np.exp(-((far / width) ** 2) / 2))
