"""Full-domain recoding: one level per column for the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.anonymizers.recoding.datafly import datafly
from tokumei.anonymizers.recoding.lattice import best_levels
from tokumei.anonymizers.recoding.lattice_task import FullDomain
from tokumei.anonymizers.recoding.problem import RecodingProblem
from tokumei.anonymizers.recoding_method import Recoding, RecodingMethod
from tokumei.text import Text


@dataclass(frozen=True)
class Flash(RecodingMethod):
    """The provably best node of the lattice by `objective`, small classes suppressed within the
    share `suppression`; with a `budget` of nodes, the best found so far."""

    name: ClassVar[str] = "flash"
    title: ClassVar[Text] = Text("Best full-domain recoding", "最適な全域的再符号化")

    suppression: float = 0.0
    objective: Literal["ncp", "prec", "dm", "classes"] = "ncp"
    budget: int | None = None

    def solve(self, problem: RecodingProblem) -> Recoding:
        """Search the lattice."""
        found = best_levels(
            problem,
            self.k,
            suppression=self.suppression,
            objective=self.objective,
            budget=self.budget,
        )
        return _everywhere(problem, found)


@dataclass(frozen=True)
class Datafly(RecodingMethod):
    """Greedy: raise the column with the most values until few enough rows are in small classes
    (Sweeney 1998). For comparison: `flash` finds the best node in about the same time."""

    name: ClassVar[str] = "datafly"
    title: ClassVar[Text] = Text("Datafly (greedy)", "Datafly (貪欲法)")

    suppression: float = 0.0

    def solve(self, problem: RecodingProblem) -> Recoding:
        """Climb the lattice."""
        return _everywhere(problem, datafly(problem, self.k, suppression=self.suppression))


def _everywhere(problem: RecodingProblem, found: FullDomain) -> Recoding:
    levels = np.tile(np.array(found.levels, dtype=np.int64), (len(problem.counts), 1))
    return Recoding(levels, found.suppressed)
