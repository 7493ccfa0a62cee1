"""The simplest attack: the order of the file is the order of the customers.

It gains nothing unless a release leaks the order of the original.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.histories.attackers.protocol import HistoryAttacker
from tokumei.histories.attackers.released_rows import pseudonyms_of
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History


@dataclass(frozen=True)
class First(HistoryAttacker):
    """The n-th pseudonym to appear is the n-th customer to appear."""

    name: ClassVar[str] = "first"
    title: ClassVar[Text] = Text("Order of appearance", "出現順")
    sentence: ClassVar[Text] = Text(
        "Takes the n-th pseudonym to appear for the n-th customer to appear.",
        "n 番目に現れる仮名を、n 番目に現れる顧客とみなします。",
    )
    needs: ClassVar[tuple[str, ...]] = ("customer",)

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """Pair by order; pseudonyms beyond the last known customer get no answer."""
        pseudonyms, customers = pseudonyms_of(public), known.customers
        places = np.arange(len(pseudonyms))
        places[len(customers) :] = -1
        confidence = np.full(len(places), 1 / max(len(customers), 1))
        return HistoryGuess.of_places(pseudonyms, customers, places, confidence)
