"""Protocol of attacks on histories: what they see, and how votes become an answer.

Votes or likelihoods become answers: ties by lot, customers one-to-one, and how many to give.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import polars as pl
from scipy.optimize import linear_sum_assignment

from tokumei.core.described import Attacker
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.histories.data.guess import HistoryGuess, thresholds_up_to
from tokumei.histories.data.history import History


class HistoryAttacker(Attacker, Protocol):
    """Says for every pseudonym which known customer it might be. Never sees the secret."""

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """The answer to a public file (text cells), knowing all of the original or a part."""


MAX_PAIRS = 4 * 10**8


def require_few_pairs(people: int, customers: int) -> None:
    """Fail before memory does: attacks keep a figure for every pseudonym and customer."""
    if people * customers > MAX_PAIRS:
        raise UsageError(
            "{people:,} pseudonyms and {customers:,} customers are too many pairs for this attack "
            "(at most {limit:,}); attack a part of the people",
            people=people,
            customers=customers,
            limit=MAX_PAIRS,
        )


@dataclass(frozen=True, eq=False)
class HistoryChallenge:
    """The public rows as text, and the history the attacker knows."""

    public: pl.DataFrame = field(repr=False)
    known: History = field(repr=False)

    def put_to(self, attacker: HistoryAttacker, *, rng: Randomness) -> HistoryGuess:
        """For every pseudonym, which known customer it might be."""
        return attacker.attack(self.public, self.known, rng=rng)


def pick_most_votes(votes: np.ndarray, *, rng: Randomness) -> tuple[np.ndarray, np.ndarray]:
    """The customer with the most votes for every pseudonym (-1: no vote), and how many tie."""
    people = len(votes)
    if not votes.size:
        return np.full(people, -1, dtype=np.int64), np.ones(people)
    tied = votes == votes.max(axis=1, keepdims=True)
    lots = rng.child("ties").generator.random(votes.shape)
    places = np.where(tied, lots, -1.0).argmax(axis=1)
    return np.where(votes.max(axis=1) > 0, places, -1), tied.sum(axis=1)


def lower_shared_confidence(places: np.ndarray, confidence: np.ndarray) -> np.ndarray:
    """Confidence lowered where several pseudonyms name one customer: one of them is right."""
    _, place_index, times = np.unique(places, return_inverse=True, return_counts=True)
    return np.asarray(np.minimum(confidence, 1 / times[place_index]))


_SINKHORN_ROUNDS = 30
_COOLING_FACTOR = 4.0
_STRANGER_SHARE = 1e-3


def match_probabilities(scores: np.ndarray) -> np.ndarray:
    """The chance that pseudonym i is customer j, from log likelihood ratios.

    Rows and columns are scaled in turn (Sinkhorn) until no customer is given away more than once:
    k pseudonyms with equal scores get at most 1/k each. Pseudonyms may belong to strangers, whom
    the attacker does not know, and customers may have been dropped from the release. Large scores
    would need thousands of rounds; they are approached from flattened ones, step by step.
    """
    people, customers = scores.shape
    if not scores.size:
        return np.zeros(scores.shape)
    stranger = np.log(max(people - customers, people * _STRANGER_SHARE))
    dropped = np.log(max(1 - people / customers, _STRANGER_SHARE))
    row_offsets, column_offsets = -np.maximum(scores.max(axis=1), stranger), np.zeros(customers)
    for temperature in _annealing_temperatures(scores):
        chance = np.exp((scores + row_offsets[:, None] + column_offsets) / temperature)
        stranger_weight, dropped_weight = (
            np.exp((stranger + row_offsets) / temperature),
            np.exp((dropped + column_offsets) / temperature),
        )
        rows, columns = _sinkhorn_factors(chance, stranger_weight, dropped_weight)
        row_offsets, column_offsets = (
            row_offsets + temperature * np.log(rows),
            column_offsets + temperature * np.log(columns),
        )
    return np.asarray(rows[:, None] * chance * columns)


def _sinkhorn_factors(
    chance: np.ndarray, stranger: np.ndarray, dropped: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Factors of rows and columns that make both sum to one, strangers and dropped included."""
    columns = np.ones(chance.shape[1])
    for _ in range(_SINKHORN_ROUNDS):
        rows = 1 / (chance @ columns + stranger)
        columns = 1 / (rows @ chance + dropped)
    return 1 / (chance @ columns + stranger), columns


def _annealing_temperatures(scores: np.ndarray) -> list[float]:
    """By how much scores are flattened in each stage; not at all in the last."""
    widest = float((scores.max(axis=1) - scores.min(axis=1)).max())
    stages = max(0, int(np.ceil(np.log(max(widest, 1) / 10) / np.log(_COOLING_FACTOR))))
    return [_COOLING_FACTOR**stage for stage in range(stages, -1, -1)]


def assign_one_to_one(chances: np.ndarray, *, rng: Randomness) -> np.ndarray:
    """The customer of every pseudonym (-1: none), no customer twice, with the most expected hits.

    Both sides are shuffled first and rounding errors removed, so that equal chances are decided
    by lot, not by file order.
    """
    chances = np.round(chances, 9)
    rows, columns = (rng.child(side).permutation(n) for side, n in enumerate(chances.shape))
    matched_rows, matched_columns = linear_sum_assignment(
        chances[np.ix_(rows, columns)], maximize=True
    )
    answers = np.full(len(chances), -1, dtype=np.int64)
    answers[rows[matched_rows]] = columns[matched_columns]
    return answers


_CHANCE_TOLERANCE = 1e-6


def chances_to_reach(confidence: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """For n = 0, 1, … the chance that `needed[n]` of the n first answers are right.

    The answers are taken to be right independently, each with its confidence.
    """
    hits = np.zeros(len(confidence) + 1)
    hits[0] = 1.0
    chances = [hits[needed[0] :].sum()]
    for n, right in enumerate(np.clip(confidence, 0, 1), start=1):
        hits[1:] = hits[1:] * (1 - right) + hits[:-1] * right
        hits[0] *= 1 - right
        chances.append(hits[needed[n] :].sum())
    return np.array(chances)


def best_answer_count(confidence: np.ndarray, needed: np.ndarray) -> int:
    """How many of the most confident answers to give; of equally good numbers the largest."""
    chances = chances_to_reach(np.sort(confidence)[::-1], needed)
    return int(np.flatnonzero(chances >= chances.max() - _CHANCE_TOLERANCE)[-1])


def keep_surest_answers(
    guess: HistoryGuess, *, p: float = 1 / 3, level: float = 0.01, attackers: int = 20
) -> HistoryGuess:
    """Only the most confident answers, as many as give the best chance to reach R(n)."""
    confidence = guess.confidence[guess.answered]
    needed = thresholds_up_to(len(confidence), p=p, level=level, attackers=attackers)
    return guess.top(best_answer_count(confidence, needed))
