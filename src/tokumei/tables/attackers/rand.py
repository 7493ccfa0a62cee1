"""E1 identify.rand: any known row with the same QI vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.attackers.candidates import same_or_any
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.data.guess import Guess
from tokumei.tables.data.knowledge import Knowledge
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class Rand(Attacker):
    """Random among X's rows with the same QI vector; among all rows if there is none."""

    name: ClassVar[str] = "E1"
    title: ClassVar[Text] = Text("Random row with the same QI", "同じ準識別子の行から無作為")
    sentence: ClassVar[Text] = Text(
        "Picks at random among the known rows with the same quasi-identifiers.",
        "準識別子が同じ既知の行から、無作為に一つを選びます。",
    )
    formula: ClassVar[str] = "y → random { x : QI(x) = QI(y) }"
    needs: ClassVar[tuple[str, ...]] = ("qi",)

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """Everyone with the same QI vector is equally likely."""
        return same_or_any(public, knowledge)
