"""The attack that reads generalized cells: which known purchases could be behind each row.

Consistent().attack(public, known, rng=Randomness(1)).frame()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.histories.attackers.likelihood import log_likelihoods
from tokumei.histories.attackers.one_to_one import assigned, probabilities
from tokumei.histories.attackers.released_rows import read_released, released_rows
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History


@dataclass(frozen=True)
class Consistent:
    """Rarity-weighted consistency of all rows, then a one-to-one assignment of the customers."""

    name: ClassVar[str] = "consistent"
    title: ClassVar[Text] = Text(
        "Consistency of all cells, one-to-one", "全セルの整合性による一対一の対応付け"
    )

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """The assignment with the most expected hits; ties by lot."""
        released = released_rows(read_released(public, known))
        chances = probabilities(log_likelihoods(released, known))
        answers = assigned(chances, rng=rng.child(self.name))
        confidence = chances[np.arange(len(answers)), np.maximum(answers, 0)]
        return HistoryGuess.of_places(
            released.pseudonyms, known.customers, answers, np.where(answers < 0, 0, confidence)
        )
