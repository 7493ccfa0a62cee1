"""What the tests split from test_missing_values share."""

from __future__ import annotations

from tokumei.tables.data.guess import Guess

NOBODY = float("nan")


def answers(guess: Guess) -> list[set[int]]:
    return [set(guess.rows[guess.start[g] : guess.start[g + 1]].tolist()) for g in guess.group]
