"""Checks l-diversity of every class: distinct, entropy, recursive.

An empty cell shows no value: only the rows that have one are counted, so a class of empty cells
alone breaks every one of these rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.messages import Message
from tokumei.tables.verification.class_check_base import (
    TOLERANCE,
    ClassClaimCheck,
    ClassFindings,
    ClassValues,
)
from tokumei.tables.verification.protocol import (
    ABOVE_0,
    AT_LEAST_2,
    ParameterRequirement,
)

ABOVE_1 = ParameterRequirement(
    lambda value: 1 < value < math.inf, Message("a number above 1", " 1 より大きい数")
)


@dataclass(frozen=True)
class LDiversity(ClassClaimCheck):
    """Counts the distinct values of each sensitive column in every class."""

    name: ClassVar[str] = "l-diversity"
    title: ClassVar[Message] = Message("l-diversity", "l-多様性")
    sentence: ClassVar[Message] = Message(
        "Every class shows at least l different sensitive values; an empty cell is none.",
        "どのクラスにも、機密属性の値が l 種類以上あります (空欄は数えません)。",
    )
    demands: ClassVar = {"l": AT_LEAST_2}
    claim: ClassVar[Message] = Message(
        "every class shows at least {l} different values of {sensitive}, empty cells not counted",
        "どのクラスにも{sensitive}の値が、空欄を除いて {l} 種類以上ある",
    )

    l: int  # noqa: E741  the literature's name
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def findings(self, class_column: ClassValues) -> ClassFindings:
        """The fewest values first."""
        class_column = class_column.filled()
        numbers = np.bincount(class_column.owner, minlength=len(class_column.first))
        for place in class_column.largest_first(-numbers, numbers < self.l):
            finding = Message(
                f"{numbers[place]} value(s) of '{class_column.column}'; l = {self.l} needed",
                f" '{class_column.column}' が {numbers[place]} 種です。l = {self.l} が必要です",
            )
            yield place, finding


@dataclass(frozen=True)
class EntropyLDiversity(ClassClaimCheck):
    """The values of each class are as mixed as l equally frequent values."""

    name: ClassVar[str] = "entropy-l-diversity"
    title: ClassVar[Message] = Message("Entropy l-diversity", "エントロピー l-多様性")
    sentence: ClassVar[Message] = Message(
        "The sensitive values of every class, empty cells left out, are as mixed as l equally "
        "frequent ones.",
        "どのクラスでも、機密属性の値 (空欄を除く) が、同じ頻度の l 種類の値と同じかそれ以上に"
        "散らばっています。",
    )
    demands: ClassVar = {"l": ABOVE_1}
    claim: ClassVar[Message] = Message(
        "in every class {sensitive} is as mixed as {l:g} equally frequent values, empty cells not "
        "counted",
        "どのクラスでも{sensitive}の値が、空欄を除いて、同じ頻度の {l:g} 種類以上に散らばっている",
    )

    l: float  # noqa: E741  the literature's name
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def findings(self, class_column: ClassValues) -> ClassFindings:
        """The least entropy first."""
        # −Σ (n/N) ln (n/N) = ln N − Σ n ln n / N
        class_column, limit = class_column.filled(), math.log(self.l)
        weights, size = class_column.count * np.log(class_column.count), class_column.size.clip(1)
        weighted = np.bincount(class_column.owner, weights, len(class_column.first))
        entropies = np.log(size) - weighted / size
        for place in class_column.largest_first(-entropies, entropies < limit * (1 - TOLERANCE)):
            entropy = abs(entropies[place])  # abs: no "-0"
            entropy_text, equivalent_text = f"{entropy:.6g}", f"{math.exp(entropy):.6g}"
            needed = f"ln {self.l:g} = {limit:.6g}"
            finding = Message(
                f"entropy {entropy_text} of '{class_column.column}', like {equivalent_text} "
                f"equally frequent value(s); "
                f"{needed} needed",
                f" '{class_column.column}' のエントロピーが {entropy_text} (等頻度の値 "
                f"{equivalent_text} 種に相当) です。"
                f"{needed} が必要です",
            )
            yield place, finding


@dataclass(frozen=True)
class RecursiveLDiversity(ClassClaimCheck):
    """The most frequent value is not too frequent against all but the l − 1 most frequent."""

    name: ClassVar[str] = "recursive-l-diversity"
    title: ClassVar[Message] = Message("Recursive (c,l)-diversity", "再帰的 (c,l)-多様性")
    sentence: ClassVar[Message] = Message(
        "In every class the commonest sensitive value is outnumbered by c times the rare ones; an "
        "empty cell is no value.",
        "どのクラスでも、最も多い機密属性の値の件数が、まれな値の件数の c 倍を下回ります "
        "(空欄は数えません)。",
    )
    demands: ClassVar = {"c": ABOVE_0, "l": AT_LEAST_2}
    claim: ClassVar[Message] = Message(
        "in every class the commonest value of {sensitive} has fewer rows than {c:g} times all "
        "but the {most} commonest, empty cells not counted",
        "どのクラスでも{sensitive}の最も多い値の件数が、空欄を除いて、上位 {most} 種類を除く件数の "
        "{c:g} 倍より少ない",
    )

    c: float
    l: int  # noqa: E741  the literature's name
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def figures(self) -> dict[str, str]:
        """How many values are the commonest."""
        return {"most": str(self.l - 1)}

    def findings(self, class_column: ClassValues) -> ClassFindings:
        """Those farthest above the limit first."""
        class_column = class_column.filled()
        order = np.lexsort((-class_column.count, class_column.owner))
        count, owner = class_column.count[order], class_column.owner[order]
        starts = np.searchsorted(owner, np.arange(len(class_column.first)))
        rank = np.arange(len(count)) - starts[owner]
        tops = np.bincount(owner, np.where(rank == 0, count, 0), len(class_column.first)).astype(
            int
        )
        tails = np.bincount(owner, np.where(rank >= self.l - 1, count, 0), len(class_column.first))
        limits = self.c * tails
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = np.where(tops, tops / limits, np.inf)
        for place in class_column.largest_first(excess, ~(tops < limits * (1 - TOLERANCE))):
            top, tail = tops[place], int(tails[place])
            limit, parameters = (
                f"c × {tail} = {limits[place]:.6g}",
                f"(c = {self.c:g}, l = {self.l})",
            )
            finding = Message(
                f"{top} row(s) with its most frequent '{class_column.column}' and {tail} in all "
                f"from "
                f"value {self.l} on; fewer than {limit} needed {parameters}",
                f"最も多い '{class_column.column}' が {top} 行、{self.l} 番目以降の値が計 {tail} "
                f"行です。"
                f"{limit} 未満が必要です {parameters}",
            )
            yield place, finding
