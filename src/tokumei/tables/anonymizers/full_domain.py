"""Full-domain recoding: one level per column for the whole table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.messages import Message
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.recoding.given_levels import format_levels, recode_at_levels
from tokumei.tables.anonymizers.recoding.lattice import find_best_levels, search_datafly
from tokumei.tables.anonymizers.recoding.lattice_task import FullDomainResult, LatticeQuery
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.anonymizers.recoding_method import RecodingMethod, RecodingResult


@dataclass(frozen=True)
class Flash(RecodingMethod):
    """The provably best node of the lattice by `objective`, small classes suppressed within the
    share `suppression`; with a `budget` of nodes, the best found so far. `levels` by column are
    taken as they are, and nothing is searched; columns not named keep level 0."""

    name: ClassVar[str] = "flash"
    title: ClassVar[Message] = Message("Best full-domain recoding")
    sentence: ClassVar[Message] = Message(
        "Finds the provably best level for every column as a whole so that every class has k rows."
    )

    searches_limits: ClassVar[bool] = True
    unsaid: ClassVar[tuple[str, ...]] = (*RecodingMethod.unsaid, "levels")

    suppression: float = 0.0
    objective: Literal["ncp", "prec", "dm", "classes"] = "ncp"
    budget: int | None = None
    levels: Mapping[str, int] = field(default_factory=dict, kw_only=True)

    def solve(self, problem: RecodingProblem, guard: Guard) -> RecodingResult:
        """Search the lattice."""
        query = LatticeQuery(
            k=self.k,
            suppression=self.suppression,
            objective=self.objective,
            budget=self.budget,
            allowed=guard.allowed if guard else None,
            monotone=guard.monotone,
        )
        if self.levels:
            chosen = recode_at_levels(problem, query, self.levels)
            how = Message(
                "at given levels ({levels})", levels=format_levels(problem, chosen.levels)
            )
            return replace(_to_recoding(problem, chosen), how=how)
        search_result = find_best_levels(problem, query)
        recoding = _to_recoding(problem, search_result)
        return replace(
            recoding,
            optimal=search_result.optimal,
            how=_describe_search(search_result, self.objective),
        )

    def describe(self) -> list[dict[str, object]]:
        """The method and its parameters as plain data."""
        (description,) = super().describe()
        return [description | ({"levels": dict(self.levels)} if self.levels else {})]


@dataclass(frozen=True)
class Datafly(RecodingMethod):
    """Greedy: raise the column with the most values until few enough rows are in small classes
    (Sweeney 1998). For comparison: `flash` finds the best node in about the same time."""

    name: ClassVar[str] = "datafly"
    title: ClassVar[Message] = Message("Datafly (greedy)")
    sentence: ClassVar[Message] = Message(
        "Raises the column with the most values until few enough rows are in small classes; for "
        "comparison."
    )

    searches_limits: ClassVar[bool] = True

    suppression: float = 0.0

    def solve(self, problem: RecodingProblem, guard: Guard) -> RecodingResult:
        """Climb the lattice."""
        allowed = guard.allowed if guard else None
        query = LatticeQuery(k=self.k, suppression=self.suppression, allowed=allowed)
        return _to_recoding(problem, search_datafly(problem, query))


def _to_recoding(problem: RecodingProblem, search_result: FullDomainResult) -> RecodingResult:
    levels = np.tile(np.array(search_result.levels, dtype=np.int64), (len(problem.counts), 1))
    return RecodingResult(levels, search_result.suppressed)


def _describe_search(search_result: FullDomainResult, objective: str) -> Message:
    """How much of the lattice was looked at, and what the rest may still hold."""
    if search_result.optimal:
        return Message(
            "the least {objective} of all levels ({visited} nodes visited)",
            objective=objective,
            visited=search_result.visited,
        )
    return Message(
        "the least {objective} of {visited} nodes visited; no node is below {bound:.4g}, this one "
        "has {loss:.4g}",
        objective=objective,
        visited=search_result.visited,
        bound=search_result.bound,
        loss=search_result.loss,
    )
