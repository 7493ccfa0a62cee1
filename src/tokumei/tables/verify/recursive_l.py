"""Recursive (c,l)-diversity: r₁ < c·(r_l + … + r_m) in every class, counts r descending."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_values import (
    TOLERANCE,
    ClassValues,
    class_values,
    require_parameter,
    require_roles,
)
from tokumei.tables.verify.protocol import Rule


@dataclass(frozen=True)
class RecursiveLDiversity(Rule):
    """The most frequent value is not too frequent against all but the l − 1 most frequent."""

    name: ClassVar[str] = "recursive-l-diversity"
    title: ClassVar[Text] = Text("Recursive (c,l)-diversity", "再帰的 (c,l)-多様性")
    sentence: ClassVar[Text] = Text(
        "In every class the commonest sensitive value is outnumbered by c times the rare ones.",
        "どのクラスでも、最も多い機密属性の値の件数が、まれな値の件数の c 倍を下回ります。",
    )

    c: float
    l: int  # noqa: E741  the literature's name
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def __post_init__(self) -> None:
        above = Text("a number above 0", " 0 より大きい数")
        require_parameter(0 < self.c < math.inf, "c", self.c, above)
        require_parameter(self.l >= 2, "l", self.l, Text("at least 2", " 2 以上"))
        require_roles(self.name, self.columns, self.sensitive)

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in every class the commonest value of {sensitive.en} has fewer rows than {self.c:g} "
            f"times all but the {self.l - 1} commonest",
            f"どのクラスでも{sensitive.ja}の最も多い値の件数が、上位 {self.l - 1} 種類を除く件数の "
            f"{self.c:g} 倍より少ない",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class and sensitive column, those farthest above the limit first."""
        found = class_values(submission, self.columns, self.sensitive)
        return [fault for column in found for fault in self._column(column)]

    def _column(self, found: ClassValues) -> list[Fault]:
        order = np.lexsort((-found.count, found.owner))
        count, owner = found.count[order], found.owner[order]
        starts = np.searchsorted(owner, np.arange(len(found.first)))
        rank = np.arange(len(count)) - starts[owner]
        top = count[starts]
        tail = np.bincount(owner, np.where(rank >= self.l - 1, count, 0), len(found.first))
        limit = self.c * tail
        bad = ~(top < limit * (1 - TOLERANCE))
        with np.errstate(divide="ignore"):
            excess = top / limit
        return [
            self._fault(found, i, top[i], int(tail[i])) for i in found.largest_first(excess, bad)
        ]

    def _fault(self, found: ClassValues, place: int, top: int, tail: int) -> Fault:
        limit = self.c * tail
        finding = Text(
            f"{top} row(s) with its most frequent '{found.column}' and {tail} in all from "
            f"value {self.l} on; fewer than c × {tail} = {limit:.6g} needed "
            f"(c = {self.c:g}, l = {self.l})",
            f"最も多い '{found.column}' が {top} 行、{self.l} 番目以降の値が計 {tail} 行です。"
            f"c × {tail} = {limit:.6g} 未満が必要です (c = {self.c:g}, l = {self.l})",
        )
        return found.fault(self.name, place, finding)
