"""The strongest of the table attacks: everything EUC2 can do, with every option on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.text import Text
from tokumei.tables.attackers.euclid import Euc2
from tokumei.tables.data.guess import Knowledge
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class Linkage(Euc2):
    """Standardized distances, generalized cells understood, one-to-one answers.

    A QI that has one value in the whole release says nothing about anybody, so it is not compared:
    unifying a column does not stop this attack.
    """

    name: ClassVar[str] = "linkage"
    title: ClassVar[Text] = Text(
        "Standardized, one-to-one, reads generalized cells",
        "標準化・一対一割当・一般化セル対応",
    )
    sentence: ClassVar[Text] = Text(
        "Pairs rows one-to-one by standardized distance, and reads ranges and sets as what they "
        "stand for.",
        "標準化した距離で行を一対一に対応付け、範囲や集合に一般化されたセルも読み取ります。",
    )
    formula: ClassVar[str] = "one-to-one y ↔ x, min Σ ‖x − y‖ / sd"

    standardize: bool = True
    assign: bool = True
    aware: bool = True

    def qi_used(self, public: Table, knowledge: Knowledge) -> list[str]:
        """The QI that vary in the release."""
        return [q for q in knowledge.table.schema.qi if public.frame[q].n_unique() > 1]
