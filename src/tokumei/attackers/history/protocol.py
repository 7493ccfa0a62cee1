"""What an attack on a released history is."""

from __future__ import annotations

from typing import ClassVar, Protocol

import polars as pl

from tokumei.data.history import History
from tokumei.data.history_guess import HistoryGuess
from tokumei.data.randomness import Randomness
from tokumei.text import Text


class HistoryAttacker(Protocol):
    """Says for every pseudonym which known customer it might be. Never sees the secret."""

    name: ClassVar[str]
    title: ClassVar[Text]

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """The answer to a public file (text cells), knowing all of the original or a part."""
        ...
