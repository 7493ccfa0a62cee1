"""t-closeness: the earth mover's distance between a class and the release is at most t.

All three are monotone: the distribution of a union is a mean of those of its parts, and the
distance to a fixed distribution is convex.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from tokumei.anonymizers.conditions.protocol import ROUNDING, Condition, require_limit
from tokumei.errors import UsageError
from tokumei.text import Text


@dataclass(frozen=True)
class EqualCloseness(Condition):
    """½ Σ |p − q| ≤ t: all values are equally far from each other."""

    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "t-closeness"
    distance: ClassVar[str] = "equal"

    t: float

    def __post_init__(self) -> None:
        between = Text("at least 0 and below 1", " 0 以上 1 未満の数")
        require_limit(0 <= self.t < 1, "t", self.t, between)

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of the rule, but for an order or a hierarchy of texts."""
        return {"t": self.t, "distance": self.distance}

    def _holds(self, counts: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
        held: np.ndarray = self._work(counts, sizes, totals) <= self.t * (1 + ROUNDING)
        return held

    def _work(self, counts: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
        work: np.ndarray = _surplus(counts, sizes, totals).clip(min=0).sum(axis=1)
        return work


@dataclass(frozen=True)
class OrderedCloseness(EqualCloseness):
    """Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1) ≤ t: the columns of the histograms are in order.

    m counts the values of the release; columns whose total is 0 are none.
    """

    distance: ClassVar[str] = "ordered"

    def _work(self, counts: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
        present = totals > 0
        steps = max(int(present.sum()) - 1, 1)
        up_to = np.cumsum(counts[:, present], axis=1)
        all_up_to = np.cumsum(totals[present]) / totals.sum()
        work: np.ndarray = np.abs(up_to / sizes[:, None] - all_up_to).sum(axis=1) / steps
        return work


@dataclass(frozen=True)
class HierarchicalCloseness(EqualCloseness):
    """A move costs level(lowest common ancestor) / H.

    `levels[h]` numbers for every column its node h + 1 levels up; the last level is the root.
    Bottom up, each node settles what it can between its children and passes on the rest.
    """

    distance: ClassVar[str] = "hierarchical"

    levels: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        nested = all(
            len(set(zip(low, high, strict=True))) == len(set(low))
            for low, high in pairwise(self.levels)
        )
        if not self.levels or len(set(self.levels[-1])) > 1 or not nested:
            raise UsageError(
                Text(
                    "t-hierarchical: the levels must be nested and end in one root",
                    "t-hierarchical: 階層は入れ子で、一つの根に至らなければなりません",
                )
            )

    def _work(self, counts: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
        surplus = _surplus(counts, sizes, totals)
        work = np.zeros(len(counts))
        below = np.arange(len(totals))
        for height, level in enumerate(self.levels, start=1):
            _, nodes = np.unique(np.array(level, dtype=np.int64), return_inverse=True)
            children = _membership(below, nodes)
            give = surplus.clip(min=0) @ children
            take = (-surplus).clip(min=0) @ children
            work += height / len(self.levels) * np.minimum(give, take).sum(axis=1)
            surplus, below = give - take, nodes
        return work


def _surplus(counts: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """p − q of every class and value."""
    surplus: np.ndarray = counts / sizes[:, None] - totals / totals.sum()
    return surplus


def _membership(below: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Which node each of the nodes below belongs to, as a matrix of 0 and 1."""
    matrix = np.zeros((below.max(initial=-1) + 1, nodes.max(initial=-1) + 1))
    matrix[below, nodes] = 1.0
    return matrix
