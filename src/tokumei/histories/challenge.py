"""What an attack on a released history sees."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.histories.attackers.protocol import HistoryAttacker
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History


@dataclass(frozen=True, eq=False)
class HistoryChallenge:
    """The public rows as text, and the history the attacker knows."""

    public: pl.DataFrame = field(repr=False)
    known: History = field(repr=False)

    def put_to(self, attacker: HistoryAttacker, *, rng: Randomness) -> HistoryGuess:
        """For every pseudonym, which known customer it might be."""
        return attacker.attack(self.public, self.known, rng=rng)
