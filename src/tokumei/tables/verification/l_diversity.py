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
from tokumei.tables.verification.protocol import ABOVE_0, AT_LEAST_2, ParameterRequirement

ABOVE_1 = ParameterRequirement(
    lambda value: 1 < value < math.inf, Message("{parameter} must be a number above 1, not {value}")
)


@dataclass(frozen=True)
class LDiversity(ClassClaimCheck):
    """Counts the distinct values of each sensitive column in every class."""

    name: ClassVar[str] = "l-diversity"
    title: ClassVar[Message] = Message("l-diversity")
    sentence: ClassVar[Message] = Message(
        "Every class shows at least l different sensitive values; empty cells do not count."
    )
    demands: ClassVar = {"l": AT_LEAST_2}
    claim: ClassVar[Message] = Message(
        "every class shows at least {l} different values of {sensitive}, empty cells not counted"
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
                "{count} value of '{column}'; l = {l} needed",
                plural="{count} values of '{column}'; l = {l} needed",
                count=int(numbers[place]),
                column=class_column.column,
                l=self.l,
            )
            yield place, finding


@dataclass(frozen=True)
class EntropyLDiversity(ClassClaimCheck):
    """The values of each class are as mixed as l equally frequent values."""

    name: ClassVar[str] = "entropy-l-diversity"
    title: ClassVar[Message] = Message("Entropy l-diversity")
    sentence: ClassVar[Message] = Message(
        "The sensitive values of every class, empty cells left out, are as mixed as l equally "
        "frequent ones."
    )
    demands: ClassVar = {"l": ABOVE_1}
    claim: ClassVar[Message] = Message(
        "in every class {sensitive} is as mixed as {l:g} equally frequent values, empty cells not "
        "counted"
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
            finding = Message(
                "entropy {entropy:.6g} of '{column}', like {values:.6g} equally frequent values; "
                "ln {l:g} = {limit:.6g} needed",
                entropy=entropy,
                column=class_column.column,
                values=math.exp(entropy),
                l=self.l,
                limit=limit,
            )
            yield place, finding


@dataclass(frozen=True)
class RecursiveLDiversity(ClassClaimCheck):
    """The most frequent value is not too frequent against all but the l − 1 most frequent."""

    name: ClassVar[str] = "recursive-l-diversity"
    title: ClassVar[Message] = Message("Recursive (c,l)-diversity")
    sentence: ClassVar[Message] = Message(
        "In every class the commonest sensitive value is outnumbered by c times the rare ones; "
        "empty cells do not count."
    )
    demands: ClassVar = {"c": ABOVE_0, "l": AT_LEAST_2}
    claim: ClassVar[Message] = Message(
        "in every class the commonest value of {sensitive} has fewer rows than {c:g} times all but "
        "the {most} commonest, empty cells not counted"
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
            finding = Message(
                "{count} row with its most frequent '{column}' and {tail} in all from value {l} "
                "on; fewer than c × {tail} = {limit:.6g} needed (c = {c:g}, l = {l})",
                plural="{count} rows with its most frequent '{column}' and {tail} in all from "
                "value {l} on; fewer than c × {tail} = {limit:.6g} needed (c = {c:g}, l = {l})",
                count=int(top),
                column=class_column.column,
                tail=tail,
                l=self.l,
                limit=limits[place],
                c=self.c,
            )
            yield place, finding
