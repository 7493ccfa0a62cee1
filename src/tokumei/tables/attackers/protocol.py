"""Protocol of attacks on tables, and the rate of a guess."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from tokumei.core import described
from tokumei.core.attack_rates import AttackRate, wilson
from tokumei.core.randomness import Randomness
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table


class Attacker(described.Attacker, Protocol):
    """Says for every released row which known row it might be. Never sees the secret."""

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """The attacker's answer; ties stay ties, `rng` serves methods that need chance."""


def attack_rate(
    guess: Guess,
    truth: np.ndarray,
    original_rows: int,
    *,
    generator: np.random.Generator | None,
    people: np.ndarray | None = None,
) -> AttackRate:
    """Score a guess: one draw with `generator`, the exact expected rate without.

    With `people`, the person of every known row, people are counted instead of rows: whoever has
    several released rows is found as surely as by the one that tells most.
    """
    answered = guess.answered
    if people is None:
        correct, known = _correct_chances(guess, truth, generator), original_rows
    else:
        guess, truth, known = guess.to_people(people), people[truth], len(np.unique(people))
        best_rows = _best_row_per_person(guess.chance_of(truth), truth)
        correct, answered = (
            _correct_chances(guess, truth, generator)[best_rows],
            answered[best_rows],
        )
    hits, n = float(correct.sum()), len(correct)
    low, high = wilson(hits, n, 0.95)
    rate = hits / n if n else 0.0
    return AttackRate(rate, low, high, 1.0 / known, hits, int(answered.sum()), n, known)


def _correct_chances(
    guess: Guess, truth: np.ndarray, generator: np.random.Generator | None
) -> np.ndarray:
    """Per released row whether it was told rightly, or with which chance."""
    if generator is None:
        return guess.chance_of(truth)
    answers = guess.draw(generator)
    return np.asarray((answers == truth) & (answers != ABSTAIN))


def _best_row_per_person(chance: np.ndarray, people: np.ndarray) -> np.ndarray:
    """For every person the released row by which that person is found most surely."""
    order = np.lexsort((-chance, people))
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = people[order][1:] != people[order][:-1]
    return np.asarray(order[is_first])
