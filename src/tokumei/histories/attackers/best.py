"""Runs all attacks and takes the answer that expects the most hits, or its surest part.

BestHistoryAttack().attack(public, known, rng=rng)
BestHistoryAttack(answer="most-confident")    as many answers as give the best chance to reach R(n)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import polars as pl

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.histories.attackers.consistent import ConsistentCells
from tokumei.histories.attackers.protocol import HistoryAttacker, keep_surest_answers
from tokumei.histories.attackers.voting import ItemSetOverlap, OrderOfAppearance, UniqueRows
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History


@dataclass(frozen=True)
class BestHistoryAttack(HistoryAttacker):
    """The best of all attacks by their own confidence, with all or the surest answers.

    p, level and attackers are those of R(n).
    """

    name: ClassVar[str] = "best"
    title: ClassVar[Message] = Message("Best of all attacks")
    sentence: ClassVar[Message] = Message(
        "Runs all attacks and answers with the one that is surest of itself."
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    answer: Literal["all", "most-confident"] = "all"
    p: float = 1 / 3
    level: float = 0.01
    attackers: int = 20

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """Ask every attack; of equally good ones the first, the consistent one, answers."""
        attacks = (ConsistentCells(), UniqueRows(), ItemSetOverlap(), OrderOfAppearance())
        guesses = [attack.attack(public, known, rng=rng) for attack in attacks]
        guess = max(guesses, key=lambda guess: round(guess.expected_hits, 6))
        if self.answer == "all":
            return guess
        return keep_surest_answers(guess, p=self.p, level=self.level, attackers=self.attackers)
