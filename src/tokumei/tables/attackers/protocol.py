"""What an attacker of tables is, and how often it is right."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from tokumei.core import words
from tokumei.core.randomness import Randomness
from tokumei.core.rates import AttackRate, wilson
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table


class Attacker(words.Attacker, Protocol):
    """Says for every released row which known row it might be. Never sees the secret."""

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """The attacker's answer; ties stay ties, `rng` serves methods that need chance."""
        ...


def attack_rate(
    guess: Guess, truth: np.ndarray, original_rows: int, *, generator: np.random.Generator | None
) -> AttackRate:
    """Score a guess: one draw with `generator`, the exact expected rate without."""
    if generator is None:
        hits = float(guess.chance_of(truth).sum())
    else:
        answers = guess.draw(generator)
        hits = float(((answers == truth) & (answers != ABSTAIN)).sum())
    n = len(truth)
    low, high = wilson(hits, n, 0.95)
    answered = int(guess.answered.sum())
    rate = hits / n if n else 0.0
    return AttackRate(rate, low, high, 1.0 / original_rows, hits, answered, n, original_rows)
