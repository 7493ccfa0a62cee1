"""How often an attack on a table is right."""

from __future__ import annotations

import numpy as np

from tokumei.core.rates import AttackRate, wilson
from tokumei.tables.data.guess import ABSTAIN, Guess


def attack_rate(
    guess: Guess,
    truth: np.ndarray,
    original_rows: int,
    *,
    generator: np.random.Generator | None,
    confidence: float = 0.95,
) -> AttackRate:
    """Score a guess: one draw with `generator`, the exact expected rate without."""
    if generator is None:
        hits = float(guess.chance_of(truth).sum())
    else:
        answers = guess.draw(generator)
        hits = float(((answers == truth) & (answers != ABSTAIN)).sum())
    n = len(truth)
    low, high = wilson(hits, n, confidence)
    answered = int(guess.answered.sum())
    rate = hits / n if n else 0.0
    return AttackRate(rate, low, high, 1.0 / original_rows, hits, answered, n, original_rows)
