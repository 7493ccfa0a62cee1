"""Recursive (c,l)-diversity: r₁ < c·(r_l + … + r_m) in every class, counts r descending."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.verify.class_rule import (
    ABOVE_0,
    AT_LEAST_2,
    ClassRule,
    Finding,
    require_parameter,
)
from tokumei.tables.verify.class_values import TOLERANCE, ClassValues


@dataclass(frozen=True)
class RecursiveLDiversity(ClassRule):
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
        require_parameter(0 < self.c < math.inf, "c", self.c, ABOVE_0)
        require_parameter(self.l >= 2, "l", self.l, AT_LEAST_2)
        super().__post_init__()

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in every class the commonest value of {sensitive.en} has fewer rows than {self.c:g} "
            f"times all but the {self.l - 1} commonest",
            f"どのクラスでも{sensitive.ja}の最も多い値の件数が、上位 {self.l - 1} 種類を除く件数の "
            f"{self.c:g} 倍より少ない",
        )

    def findings(self, found: ClassValues) -> Iterator[Finding]:
        """Those farthest above the limit first."""
        order = np.lexsort((-found.count, found.owner))
        count, owner = found.count[order], found.owner[order]
        starts = np.searchsorted(owner, np.arange(len(found.first)))
        rank = np.arange(len(count)) - starts[owner]
        tops = count[starts]
        tails = np.bincount(owner, np.where(rank >= self.l - 1, count, 0), len(found.first))
        limits = self.c * tails
        with np.errstate(divide="ignore"):
            excess = tops / limits
        for place in found.largest_first(excess, ~(tops < limits * (1 - TOLERANCE))):
            top, tail = tops[place], int(tails[place])
            limit, asked = f"c × {tail} = {limits[place]:.6g}", f"(c = {self.c:g}, l = {self.l})"
            yield Finding(
                place,
                f"{top} row(s) with its most frequent '{found.column}' and {tail} in all from "
                f"value {self.l} on; fewer than {limit} needed {asked}",
                f"最も多い '{found.column}' が {top} 行、{self.l} 番目以降の値が計 {tail} 行です。"
                f"{limit} 未満が必要です {asked}",
            )
