"""Turns scores of customers and pseudonyms into answers, one-to-one or not.

    chosen, outstanding = choose_pseudonyms(scores, alive, assign=True, rng=rng)

Months that share pseudonyms form a block, in which a customer keeps one pseudonym. A block with
more pseudonyms than customers cannot be like that (lives of different lengths): there every month
is answered alone. Scores are computed in pieces; of a large block only the best are kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.assignment import NOBODY, assign_pseudonyms
from tokumei.pseudonyms.attackers.challenge import (
    ChallengeAttacker,
    PeriodChallenge,
    PublicAndKnownRows,
)
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess

PIECE_CELLS = 4_000_000
"""Cells computed at a time."""

SMALL_BLOCK_CELLS = 1_000_000
"""Blocks with more cells keep the best of each customer only."""

KEPT_SCORES = 24


@dataclass(frozen=True, eq=False)
class ScoreFactors:
    """Customers × pseudonyms as a sum of products of sparse tables with the same columns."""

    customers: list[csr_array]
    pseudonyms: list[csr_array]

    @property
    def people(self) -> int:
        """How many customers."""
        return int(self.customers[0].shape[0])

    def score_table(self, people: np.ndarray, names: np.ndarray) -> np.ndarray:
        """The scores of these customers and pseudonyms."""
        scores = np.zeros((len(people), len(names)))
        for left, right in zip(self.customers, self.pseudonyms, strict=True):
            scores += (left[people] @ right[names].T).toarray()
        return scores


def month_blocks(alive: np.ndarray, people: int) -> list[np.ndarray]:
    """Months that are answered together."""
    shared = csr_array(alive.astype(np.int64) @ alive.T.astype(np.int64))
    count, label = connected_components(shared, directed=False)
    month_groups: list[np.ndarray] = []
    for number in range(count):
        months = np.flatnonzero(label == number)
        together = int(alive[months].any(axis=0).sum()) <= people
        month_groups += [months] if together else [np.array([month]) for month in months]
    return month_groups


def choose_pseudonyms(
    scores: ScoreFactors, alive: np.ndarray, *, assign: bool, rng: Randomness
) -> tuple[np.ndarray, np.ndarray]:
    """The pseudonym of every customer and month (NOBODY: none), and how it stands out.

    With `assign` the sum of scores is highest; without, every pseudonym names its best customer,
    and of several that name the same one the best stays. Equal scores are decided by lot.
    """
    chosen = np.full((scores.people, len(alive)), NOBODY, dtype=np.int64)
    outstanding = np.zeros(chosen.shape)
    for number, months in enumerate(month_blocks(alive, scores.people)):
        names = np.flatnonzero(alive[months].any(axis=0))
        if not len(names) or not scores.people:
            continue
        block_scores = score_block(scores, names, rng=rng.child(number))
        customers, named_pseudonyms = (
            block_scores.assigned(rng.child(number)) if assign else block_scores.named()
        )
        for month in months:
            is_alive = alive[month, names[named_pseudonyms]]
            chosen[customers[is_alive], month] = names[named_pseudonyms[is_alive]]
            outstanding[customers[is_alive], month] = block_scores.eccentricity[
                named_pseudonyms[is_alive]
            ]
    return chosen, outstanding


@dataclass(frozen=True, eq=False)
class BlockScores:
    """What is kept of a block: entries, and of each pseudonym the best customer."""

    entries: csr_array
    leader: np.ndarray
    best: np.ndarray
    eccentricity: np.ndarray  # how far the best leads the second, in standard deviations

    def assigned(self, rng: Randomness) -> tuple[np.ndarray, np.ndarray]:
        """Customers and pseudonyms with the highest sum."""
        chosen, _ = assign_pseudonyms(self.entries, np.zeros(self.entries.shape[0]), rng=rng)
        customers = np.flatnonzero(chosen != NOBODY)
        return customers, chosen[customers]

    def named(self) -> tuple[np.ndarray, np.ndarray]:
        """The best customer of each pseudonym; of several with the same one the best."""
        scored = np.flatnonzero(self.best > 0)
        order = scored[np.lexsort((-self.best[scored], self.leader[scored]))]
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = self.leader[order][1:] != self.leader[order][:-1]
        return self.leader[order[is_first]], order[is_first]


@dataclass(frozen=True)
class ScoringAttacker(ChallengeAttacker):
    """Base of the attacks that score customers and pseudonyms by what they have in common."""

    def answer(self, challenge: PeriodChallenge, *, rng: Randomness) -> PeriodGuess:
        """The customer with the best score for each pseudonym."""
        sides = challenge.sides()
        alive = np.zeros((sides.months, sides.pseudonyms), dtype=bool)
        alive[sides.public.month, sides.public.owner] = True
        assign, min_eccentricity = self.way(sides, alive)
        chosen, outstanding = choose_pseudonyms(
            self.scores(sides, alive), alive, assign=assign, rng=rng
        )
        chosen = np.where(outstanding >= min_eccentricity, chosen, NOBODY)
        confidence = np.where(chosen != NOBODY, outstanding / (1 + outstanding), 0.0)
        return challenge.guess(chosen, confidence)

    def scores(self, sides: PublicAndKnownRows, alive: np.ndarray) -> ScoreFactors:
        """What each customer and each pseudonym have in common."""
        raise NotImplementedError

    def way(self, sides: PublicAndKnownRows, alive: np.ndarray) -> tuple[bool, float]:
        """Whether answers are one-to-one, and how far the best must stand out."""
        raise NotImplementedError


def score_block(scores: ScoreFactors, names: np.ndarray, *, rng: Randomness) -> BlockScores:
    """Go through all customers in an order by lot, a piece at a time."""
    people = rng.child("order").permutation(scores.people)
    keep = (
        len(names)
        if len(people) * len(names) <= SMALL_BLOCK_CELLS
        else min(KEPT_SCORES, len(names))
    )
    best, second = np.zeros(len(names)), np.zeros(len(names))
    total, squares = np.zeros(len(names)), np.zeros(len(names))
    leader = np.full(len(names), NOBODY)
    parts = []
    step = max(1, PIECE_CELLS // len(names))
    for start in range(0, len(people), step):
        piece = people[start : start + step]
        table = scores.score_table(piece, names)
        parts.append(_top_entries(table, piece, keep))
        total, squares = total + table.sum(axis=0), squares + (table**2).sum(axis=0)
        top = table.argmax(axis=0)
        high = np.vstack([np.partition(table, -2, axis=0)[-2:] if len(table) > 1 else table])
        ahead = high[-1] > best
        leader = np.where(ahead, piece[top], leader)
        second = np.sort(np.vstack([high, best, second]), axis=0)[-2]
        best = np.maximum(best, high[-1])
    mean = total / len(people)
    spread = np.sqrt(np.maximum(squares / len(people) - mean**2, 0.0))
    distance = (best - second) / np.where(spread > 0, spread, 1.0)
    data, row, column = (np.concatenate(part) for part in zip(*parts, strict=True))
    entries = csr_array((data, (row, column)), shape=(scores.people, len(names)))
    return BlockScores(entries, leader, best, distance)


def _top_entries(
    table: np.ndarray, people: np.ndarray, keep: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The highest positive scores of each customer: score, customer, place of the pseudonym."""
    column = np.argpartition(table, -keep, axis=1)[:, -keep:]
    row = np.repeat(np.arange(len(table)), keep)
    data = table[row, column.ravel()]
    is_positive = data > 0
    return data[is_positive], people[row[is_positive]], column.ravel()[is_positive]
