"""Conditions on the values of a class alone: l-diversity in three strengths, and α."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.text import Text
from tokumei.kernels.verdict import DISTINCT, ENTROPY, RECURSIVE, SHARE
from tokumei.tables.anonymizers.conditions.protocol import Condition, require_limit


@dataclass(frozen=True)
class DistinctL(Condition):
    """At least l different values.

    Monotone: a union shows every value that either class shows.
    """

    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "l-diversity"
    kind: ClassVar[int] = DISTINCT

    l: int  # noqa: E741  the literature's name

    def __post_init__(self) -> None:
        needed = Text("a whole number of at least 2", " 2 以上の整数")
        require_limit(self.l >= 2, "l", self.l, needed)


@dataclass(frozen=True)
class EntropyL(Condition):
    """−Σ p ln p ≥ ln l.

    Monotone: the shares of a union are a mean of those of its parts, and entropy is concave.
    """

    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "entropy-l-diversity"
    kind: ClassVar[int] = ENTROPY

    l: float  # noqa: E741  the literature's name

    def __post_init__(self) -> None:
        needed = Text("a number above 1", " 1 より大きい数")
        require_limit(1 < self.l < math.inf, "entropy-l", self.l, needed)


@dataclass(frozen=True)
class RecursiveL(Condition):
    """r₁ < c·(r_l + … + r_m), r the counts of the values, descending.

    Monotone: the largest count of a union is at most the sum of the largest counts of its parts,
    and so are its l − 1 largest; what is left over is then at least the sum of what was left.
    """

    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "recursive-l-diversity"
    kind: ClassVar[int] = RECURSIVE

    c: float
    l: int  # noqa: E741  the literature's name

    def __post_init__(self) -> None:
        above = Text("a number above 0", " 0 より大きい数")
        require_limit(0 < self.c < math.inf, "recursive", self.c, above)
        needed = Text("a whole number of at least 2", " 2 以上の整数")
        require_limit(self.l >= 2, "recursive", self.l, needed)


@dataclass(frozen=True)
class Alpha(Condition):
    """p ≤ α for every value: the α of (α,k)-anonymity, whose k is the method's own.

    Monotone: a share in a union is a mean of the shares in its parts.
    """

    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "alpha-k"
    kind: ClassVar[int] = SHARE

    alpha: float

    def __post_init__(self) -> None:
        between = Text("above 0 and below 1", " 0 より大きく 1 より小さい数")
        require_limit(0 < self.alpha < 1, "alpha", self.alpha, between)


@dataclass(frozen=True)
class Persons(Condition):
    """Rows of at least k different persons, the values being persons. Monotone like `DistinctL`."""

    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "k-per-person"
    kind: ClassVar[int] = DISTINCT

    k: int
