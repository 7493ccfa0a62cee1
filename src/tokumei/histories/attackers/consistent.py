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
from tokumei.histories.attackers.protocol import HistoryAttacker
from tokumei.histories.attackers.released_rows import read_released, released_rows
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History


@dataclass(frozen=True)
class Consistent(HistoryAttacker):
    """Rarity-weighted consistency of all rows, then a one-to-one assignment of the customers."""

    name: ClassVar[str] = "consistent"
    title: ClassVar[Text] = Text(
        "Consistency of all cells, one-to-one", "全セルの整合性による一対一の対応付け"
    )
    sentence: ClassVar[Text] = Text(
        "Weighs how well every cell fits every customer, rare fits most, and assigns customers "
        "one-to-one.",
        "すべてのセルの整合性を、珍しい一致ほど重く見て評価し、顧客を一対一に割り当てます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """The assignment with the most expected hits; ties by lot."""
        released = released_rows(read_released(public, known))
        chances = probabilities(log_likelihoods(released, known))
        answers = assigned(chances, rng=rng.child(self.name))
        confidence = chances[np.arange(len(answers)), np.maximum(answers, 0)]
        return HistoryGuess.of_places(
            released.pseudonyms, known.customers, answers, np.where(answers < 0, 0, confidence)
        )
