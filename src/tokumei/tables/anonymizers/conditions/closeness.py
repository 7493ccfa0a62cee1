"""t-closeness: the earth mover's distance between a class and the release is at most t.

All three are monotone: the distribution of a union is a mean of those of its parts, and the
distance to a fixed distribution is convex.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.kernels.verdict import EQUAL, HIERARCHICAL, ORDERED
from tokumei.tables.anonymizers.conditions.protocol import Condition, Levels, require_limit


@dataclass(frozen=True)
class EqualCloseness(Condition):
    """½ Σ |p − q| ≤ t: all values are equally far from each other."""

    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "t-closeness"
    kind: ClassVar[int] = EQUAL
    distance: ClassVar[str] = "equal"

    t: float

    def __post_init__(self) -> None:
        between = Text("at least 0 and below 1", " 0 以上 1 未満の数")
        require_limit(0 <= self.t < 1, "t", self.t, between)

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of the rule, but for an order or a hierarchy of texts."""
        return super().params | {"distance": self.distance}


@dataclass(frozen=True)
class OrderedCloseness(EqualCloseness):
    """Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1) ≤ t: the columns of the histograms are in order.

    m counts the values of the release; columns whose total is 0 are none.
    """

    kind: ClassVar[int] = ORDERED
    distance: ClassVar[str] = "ordered"


@dataclass(frozen=True)
class HierarchicalCloseness(EqualCloseness):
    """A move costs level(lowest common ancestor) / H.

    `levels[h]` numbers for every column its node h + 1 levels up; the last level is the root.
    """

    kind: ClassVar[int] = HIERARCHICAL
    distance: ClassVar[str] = "hierarchical"

    levels: Levels

    def __post_init__(self) -> None:
        super().__post_init__()
        nested = all(
            len(set(zip(low, high, strict=True))) == len(set(low))
            for low, high in pairwise(self.levels)
        )
        if not self.levels or len(set(self.levels[-1])) > 1 or not nested:
            raise UsageError(
                "t-hierarchical: the levels must be nested and end in one root",
                "t-hierarchical: 階層は入れ子で、一つの根に至らなければなりません",
            )
