"""What an attack on a released history is, and what it sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.words import Attacker
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History


class HistoryAttacker(Attacker, Protocol):
    """Says for every pseudonym which known customer it might be. Never sees the secret."""

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """The answer to a public file (text cells), knowing all of the original or a part."""


MOST_PAIRS = 4 * 10**8


def require_pairs(people: int, customers: int) -> None:
    """Fail before memory does: attacks keep a figure for every pseudonym and customer."""
    if people * customers > MOST_PAIRS:
        raise UsageError(
            f"{people:,} pseudonyms and {customers:,} customers are too many pairs for this "
            f"attack (at most {MOST_PAIRS:,}); attack a part of the people",
            f"仮名 {people:,} 個と顧客 {customers:,} 人の組はこの攻撃には多すぎます "
            f"({MOST_PAIRS:,} 組まで)。一部の人を攻撃してください",
        )


@dataclass(frozen=True, eq=False)
class HistoryChallenge:
    """The public rows as text, and the history the attacker knows."""

    public: pl.DataFrame = field(repr=False)
    known: History = field(repr=False)

    def put_to(self, attacker: HistoryAttacker, *, rng: Randomness) -> HistoryGuess:
        """For every pseudonym, which known customer it might be."""
        return attacker.attack(self.public, self.known, rng=rng)
