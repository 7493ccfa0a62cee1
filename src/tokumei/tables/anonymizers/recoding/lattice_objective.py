"""The objective of a full-domain search, and the bounds that prune nodes.

An objective gives the loss of a node and three bounds, all proven below. v ≤ w means that w is at
least as general in every column; S(v) are the rows suppressed at v, those of classes below k. Going
up, classes only merge: S(w) ⊆ S(v).

- `least(levels)`: no more than the loss of each node, known without grouping anything.
- `floor(v)`: no more than the loss of v and of every w ≥ v.
- `surcharge(u)`: loss(v) ≥ floor(v) + surcharge(u) for every v ≤ u: what suppression costs at u is
  paid by all nodes below it.

NCP and Prec. Let c(v, row) be the cost of a row at v, from 0 to 1, never falling as v goes up, and
G(v) its mean over *all* rows. A suppressed row costs 1, so loss(v) = G(v) + mean over rows of
[row ∈ S(v)]·(1 − c(v, row)). The loss itself is not monotone (a merge may save rows from S), but G
is: floor(v) = G(v). And with v ≤ u: S(v) ⊇ S(u) and 1 − c(v, row) ≥ 1 − c(u, row), so the second
part at v is at least the second part at u: surcharge(u) = loss(u) − G(u).

DM. With D(v) = Σ |class|² over all classes and N rows, loss(v) = D(v) + Σ over rows of S(v) of
(N − |class of the row at v|). Merging raises D and class sizes, so both bounds follow as above.
`least` is N² / (most classes the levels can make), the smallest sum of squares of that many parts.

Classes. The loss is C_avg = N / (kept classes · k). A class kept at w ≥ v holds a class kept at v,
or at least k rows of S(v): at most kept(v) + ⌊|S(v)| / k⌋ of them. No surcharge is claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.recoding.lattice_task import LatticeNode


class Objective(Protocol):
    """A loss with its bounds; `least` takes nodes × columns."""

    def loss(self, node: LatticeNode) -> float:
        """The loss of a release at this node."""

    def least(self, levels: np.ndarray) -> np.ndarray:
        """A bound of each node's loss from its levels alone."""

    def floor(self, node: LatticeNode) -> float:
        """A bound of the loss of this node and all above it."""

    def surcharge(self, node: LatticeNode) -> float:
        """What each node below loses at least beyond its floor."""


class CellLossObjective:
    """Mean cost of a cell, 1 in every column of a suppressed row: NCP, and 1 − Prec."""

    def __init__(self, problem: RecodingProblem, cost: tuple[np.ndarray, ...]) -> None:
        self._problem = problem
        self._cost = cost
        rows = max(problem.rows, 1)
        self._mean_costs = [
            table[:, problem.codes[:, j]] @ problem.counts / rows / len(cost)
            for j, table in enumerate(cost)
        ]
        self._column_indices = np.arange(len(cost))[:, None]
        self._mean_table = np.full((len(cost), max(map(len, self._mean_costs), default=0)), np.nan)
        for line, mean in zip(self._mean_table, self._mean_costs, strict=True):
            line[: len(mean)] = mean

    def loss(self, node: LatticeNode) -> float:
        """Mean cost over all cells, plus what suppression adds."""
        return self.floor(node) + self.surcharge(node)

    def least(self, levels: np.ndarray) -> np.ndarray:
        """The mean cost without suppression: columns add up."""
        # Added column after column, so that the sum does not depend on how many nodes are asked.
        return np.asarray(self._mean_table[self._column_indices, levels.T].sum(axis=0))

    def floor(self, node: LatticeNode) -> float:
        """The mean cost without suppression; the same sum in any order of the columns."""
        return math.fsum(
            mean[level] for mean, level in zip(self._mean_costs, node.levels, strict=True)
        )

    def surcharge(self, node: LatticeNode) -> float:
        """What is left to 1 in the suppressed rows."""
        if not node.suppressed:
            return 0.0
        suppressed_codes = self._problem.codes[node.firsts[~node.kept]]
        remaining_cost = np.full(len(suppressed_codes), float(len(self._cost)))
        for j, (table, level) in enumerate(zip(self._cost, node.levels, strict=True)):
            remaining_cost -= table[level][suppressed_codes[:, j]]
        rows = self._problem.rows * len(self._cost)
        return float(remaining_cost @ node.sizes[~node.kept]) / rows


@dataclass(frozen=True, eq=False)
class DiscernibilityObjective:
    """DM: Σ |class|², and N for each suppressed row."""

    _rows: int
    _widths: list[np.ndarray]

    def loss(self, node: LatticeNode) -> float:
        """Σ |class|² of the kept, N per row of the others."""
        return float((node.sizes[node.kept] ** 2).sum() + self._rows * node.suppressed)

    def least(self, levels: np.ndarray) -> np.ndarray:
        """As if all rows were spread evenly over as many classes as the levels can make."""
        return np.asarray(self._rows**2 / _max_classes(levels, self._widths, self._rows))

    def floor(self, node: LatticeNode) -> float:
        """Σ |class|², nothing suppressed."""
        return float((node.sizes**2).sum())

    def surcharge(self, node: LatticeNode) -> float:
        """What suppression adds to the sum of squares."""
        return self.loss(node) - self.floor(node)


@dataclass(frozen=True, eq=False)
class AverageClassObjective:
    """C_avg: rows / (kept classes · k); more classes are better."""

    _rows: int
    _widths: list[np.ndarray]
    _k: int

    def loss(self, node: LatticeNode) -> float:
        """Rows per kept class, in units of k; infinite if none is kept."""
        return self._average_size(node.classes)

    def least(self, levels: np.ndarray) -> np.ndarray:
        """With as many classes as the levels and k allow."""
        most = np.minimum(_max_classes(levels, self._widths, self._rows), self._rows // self._k)
        return np.asarray(self._rows / (np.maximum(most, 1) * self._k))

    def floor(self, node: LatticeNode) -> float:
        """With all kept classes, and as many new ones as the suppressed rows could fill."""
        return self._average_size(node.classes + node.suppressed // self._k)

    def surcharge(self, node: LatticeNode) -> float:
        """None."""
        return 0.0

    def _average_size(self, classes: int) -> float:
        return self._rows / (classes * self._k) if classes else math.inf


def build_objective(
    objective_name: str, problem: RecodingProblem, widths: list[np.ndarray], k: int
) -> Objective:
    """The objective by its name."""
    factories: dict[str, Callable[[], Objective]] = {
        "ncp": lambda: CellLossObjective(problem, problem.cost),
        "prec": lambda: CellLossObjective(problem, _precision_costs(problem)),
        "dm": lambda: DiscernibilityObjective(problem.rows, widths),
        "classes": lambda: AverageClassObjective(problem.rows, widths, k),
    }
    if objective_name not in factories:
        raise UnknownNameError(Message("objective"), objective_name, factories)
    return factories[objective_name]()


def _precision_costs(problem: RecodingProblem) -> tuple[np.ndarray, ...]:
    """For Prec: level / height in every cell."""
    return tuple(
        np.broadcast_to(np.arange(len(up))[:, None] / max(len(up) - 1, 1), up.shape)
        for up in problem.up
    )


def _max_classes(levels: np.ndarray, widths: list[np.ndarray], rows: int) -> np.ndarray:
    most = np.ones(len(levels))
    for j, width in enumerate(widths):
        most = np.minimum(most * width[levels[:, j]], rows)
    return most
