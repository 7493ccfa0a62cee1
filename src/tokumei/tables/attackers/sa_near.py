"""E2 identify.sa and E4 identify.sa21: nearest in one sensitive column, with or without the QI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.attackers.candidates import sa_values, same_or_any
from tokumei.tables.attackers.neighbours import nearest_on_line
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.data.guess import ABSTAIN, Guess
from tokumei.tables.data.knowledge import Knowledge
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class SaOnly(Attacker):
    """Nearest known row in one SA (`column`, default the first; the paper's 21st column)."""

    name: ClassVar[str] = "E4"
    title: ClassVar[Text] = Text("Nearest in one SA", "一つの機密属性が最も近い行")
    sentence: ClassVar[Text] = Text(
        "Picks the known row nearest in one sensitive column, whatever its quasi-identifiers.",
        "準識別子は使わず、一つの機密属性の値が最も近い既知の行を選びます。",
    )
    formula: ClassVar[str] = "y → argmin |x_s − y_s|"
    needs: ClassVar[tuple[str, ...]] = ("sa",)

    column: str | None = None

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """The nearest of the candidates."""
        schema = knowledge.table.schema
        if not schema.sa:
            return Guess.single(np.full(public.rows, ABSTAIN))
        column = self.column or schema.sa[0]
        schema.keep(schema.sa).require([column], where=self.name)
        known, released = sa_values(public, knowledge, [column])
        found = self.candidates(public, knowledge)
        return nearest_on_line(found, known[:, 0], released[:, 0])

    def candidates(self, public: Table, knowledge: Knowledge) -> Guess:
        """All known rows."""
        sizes = np.array([0, knowledge.rows])
        return Guess(np.zeros(public.rows, dtype=np.int64), sizes, np.arange(knowledge.rows))


@dataclass(frozen=True)
class SaNear(SaOnly):
    """Nearest in one SA (`column`, default the first) of the same QI vector; of all if none."""

    name: ClassVar[str] = "E2"
    title: ClassVar[Text] = Text(
        "Nearest in one SA with the same QI", "同じ準識別子で一つの機密属性が最も近い行"
    )
    sentence: ClassVar[Text] = Text(
        "Among the known rows with the same quasi-identifiers, picks the one nearest in one "
        "sensitive column.",
        "準識別子が同じ既知の行のうち、一つの機密属性の値が最も近い行を選びます。",
    )
    formula: ClassVar[str] = "y → argmin |x_s − y_s|, QI(x) = QI(y)"
    needs: ClassVar[tuple[str, ...]] = ("qi", "sa")

    def candidates(self, public: Table, knowledge: Knowledge) -> Guess:
        """The rows with the same QI; all rows where there is none."""
        return same_or_any(public, knowledge)
