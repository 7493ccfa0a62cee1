"""Full-domain recoding: one level per column for the whole table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.text import Text
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.recoding.lattice import best_levels, datafly
from tokumei.tables.anonymizers.recoding.lattice_task import FullDomain, Question
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem
from tokumei.tables.anonymizers.recoding_method import Recoding, RecodingMethod


@dataclass(frozen=True)
class Flash(RecodingMethod):
    """The provably best node of the lattice by `objective`, small classes suppressed within the
    share `suppression`; with a `budget` of nodes, the best found so far."""

    name: ClassVar[str] = "flash"
    title: ClassVar[Text] = Text("Best full-domain recoding", "最適な全域的再符号化")
    sentence: ClassVar[Text] = Text(
        "Finds the provably best level for every column as a whole so that every class has k rows.",
        "どのクラスも k 行以上になる、列ごとの最適な階層の段を厳密に求めます。",
    )

    suppression: float = 0.0
    objective: Literal["ncp", "prec", "dm", "classes"] = "ncp"
    budget: int | None = None

    def solve(self, problem: RecodingProblem, guard: Guard) -> Recoding:
        """Search the lattice."""
        question = Question(
            k=self.k,
            suppression=self.suppression,
            objective=self.objective,
            budget=self.budget,
            allowed=guard.allowed if guard else None,
            monotone=guard.monotone,
        )
        found = best_levels(problem, question)
        made = _everywhere(problem, found)
        return replace(made, optimal=found.optimal, how=_told(found, self.objective))


@dataclass(frozen=True)
class Datafly(RecodingMethod):
    """Greedy: raise the column with the most values until few enough rows are in small classes
    (Sweeney 1998). For comparison: `flash` finds the best node in about the same time."""

    name: ClassVar[str] = "datafly"
    title: ClassVar[Text] = Text("Datafly (greedy)", "Datafly (貪欲法)")
    sentence: ClassVar[Text] = Text(
        "Raises the column with the most values until few enough rows are in small classes; for "
        "comparison.",
        "小さなクラスの行が十分に減るまで、値の種類が最も多い列を一般化します。比較用です。",
    )

    suppression: float = 0.0

    def solve(self, problem: RecodingProblem, guard: Guard) -> Recoding:
        """Climb the lattice."""
        allowed = guard.allowed if guard else None
        question = Question(k=self.k, suppression=self.suppression, allowed=allowed)
        return _everywhere(problem, datafly(problem, question))


def _everywhere(problem: RecodingProblem, found: FullDomain) -> Recoding:
    levels = np.tile(np.array(found.levels, dtype=np.int64), (len(problem.counts), 1))
    return Recoding(levels, found.suppressed)


def _told(found: FullDomain, objective: str) -> Text:
    """How much of the lattice was looked at, and what the rest may still hold."""
    if found.optimal:
        return Text(
            f"the least {objective} of all levels ({found.visited} nodes visited)",
            f"全レベル中 {objective} が最小 ({found.visited} ノードを評価)",
        )
    return Text(
        f"the least {objective} of {found.visited} nodes visited; no node is below "
        f"{found.bound:.4g}, this one has {found.loss:.4g}",
        f"評価した {found.visited} ノード中 {objective} が最小 (下界 {found.bound:.4g}、"
        f"このノード {found.loss:.4g})",
    )
