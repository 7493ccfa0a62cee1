"""E4 identify.sa21: nearest in one sensitive column, QI ignored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.attackers.candidates import Candidates
from tokumei.tables.attackers.line import nearest_on_line
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.attackers.values import sa_values
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
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
        """Search all known rows."""
        schema = knowledge.table.schema
        if not schema.sa:
            return Guess.single(np.full(public.rows, ABSTAIN))
        column = self.column or schema.sa[0]
        schema.keep(schema.sa).require([column], where=self.name)
        known, released = sa_values(public, knowledge, [column])
        return nearest_on_line(everyone(public.rows, knowledge.rows), known[:, 0], released[:, 0])


def everyone(released: int, known: int) -> Candidates:
    """One candidate set with all known rows."""
    group = np.zeros(released, dtype=np.int64)
    return Candidates(group, np.array([0, known]), np.arange(known))
