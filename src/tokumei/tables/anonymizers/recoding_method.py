"""Base class of recoding methods: tuple counts, kernel, cells, suppressed rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message, join_messages
from tokumei.core.provenance import SearchOutcome
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.conditions.guarded_columns import GuardedColumn
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer, RecodedFrame
from tokumei.tables.anonymizers.protocol import require_share
from tokumei.tables.anonymizers.recoding.condition_merging import visible_classes
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_for_frame
from tokumei.tables.engines.protocol import RecodedCells, TupleCounts
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy

HEURISTIC_NOTE = Message("by a heuristic")


@dataclass(frozen=True, eq=False)
class RecodingResult:
    """A level for every tuple and column, and the tuples whose rows are suppressed.

    `optimal`: the method has proven that none of its kind is better. `how` it was found, in words.
    """

    levels: np.ndarray
    suppressed: np.ndarray
    optimal: bool = False
    how: Message = HEURISTIC_NOTE

    @classmethod
    def whole(cls, levels: np.ndarray) -> RecodingResult:
        """Nothing is suppressed."""
        return cls(levels, np.zeros(len(levels), dtype=bool))

    def loss(self, problem: RecodingProblem) -> float:
        """The mean NCP of a cell; a suppressed row counts 1 in every column."""
        top = np.where(self.suppressed[:, None], problem.heights[None, :], self.levels)
        return problem.loss(top)


@dataclass(frozen=True)
class RecodingMethod(KAnonymizer):
    """Base of the methods that generalize along hierarchies; `solve` is the kernel.

    Every QI vector occurs at least k times. Suppressed rows become `*` in every QI; if they are
    fewer than k, or break a condition, they are deleted instead. If the other rows then break one
    (they are compared with fewer rows), nothing is suppressed.

    `weights`: by QI, how much a loss in it counts against one in the others (1 if not named).
    """

    unsaid: ClassVar[tuple[str, ...]] = (*KAnonymizer.unsaid, "weights")
    searches_limits: ClassVar[bool] = False
    """Whether its search judges limits over all classes, and drops the smallest for them."""

    hierarchies: str | Mapping[str, str] = AUTO
    weights: Mapping[str, float] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        require_share(self.name, getattr(self, "suppression", 0.0), "suppression")
        if any(not 0 < weight < np.inf for weight in self.weights.values()):
            raise UsageError("{name}: weights are numbers above 0", name=self.name)

    def solve(self, problem: RecodingProblem, guard: Guard) -> RecodingResult:
        """Levels for the tuples of a problem, in classes that the guard allows."""
        raise NotImplementedError

    def recode(self, table: Table, columns: list[GuardedColumn]) -> RecodedFrame:
        """Generalize the QI."""
        frame, qi = table.frame, table.schema.qi
        engine = engine_for_frame(frame)
        with ThreadPoolExecutor(1) as executor:
            hierarchy_future = executor.submit(choose_hierarchies, self.hierarchies, frame, qi)
            tuple_counts = engine.tuples(qi)
        guard = Guard.of(engine, tuple_counts, columns)
        if self.searches_limits:
            guard = dataclasses.replace(guard, limits=self.risk_limits)
        column_hierarchies = hierarchy_future.result()
        problem = RecodingProblem.of(tuple_counts, column_hierarchies)
        recoding, is_deleted = self._solve_with_deletions(self._apply_weights(problem, qi), guard)
        search = self._describe_search(recoding, recoding.loss(problem))
        cells = label_cells(tuple_counts, problem, recoding, column_hierarchies)
        kept_rows = np.flatnonzero(~is_deleted[tuple_counts.rows]) if is_deleted.any() else None
        return RecodedFrame(engine.give(RecodedCells(tuple_counts, cells)).frame, kept_rows, search)

    def describe(self) -> list[dict[str, object]]:
        """The method and its parameters as plain data."""
        (description,) = super().describe()
        hierarchy_spec, weights = self.hierarchies, description.pop("weights", None)
        description["hierarchies"] = (
            hierarchy_spec if isinstance(hierarchy_spec, str) else dict(hierarchy_spec)
        )
        return [description | ({"weights": dict(self.weights)} if weights else {})]

    def _apply_weights(self, problem: RecodingProblem, qi: list[str]) -> RecodingProblem:
        """The problem with costs by weight; a row that is lost in all columns costs the same."""
        for name in self.weights:
            if name not in qi:
                raise UnknownNameError(COLUMN_NOUN, name, qi, where=f"{self.name}.weights")
        if not self.weights:
            return problem
        column_weights = np.array([self.weights.get(name, 1.0) for name in qi])
        shares = column_weights / column_weights.mean()
        cost = tuple(table * share for table, share in zip(problem.cost, shares, strict=True))
        return dataclasses.replace(problem, cost=cost)

    def _solve_with_deletions(
        self, problem: RecodingProblem, guard: Guard
    ) -> tuple[RecodingResult, np.ndarray]:
        """The recoding, and the tuples whose rows are deleted rather than shown as `*`."""
        recoding = self.solve(problem, guard)
        no_deletions = np.zeros(len(problem.counts), dtype=bool)
        for is_deleted in (no_deletions, recoding.suppressed):
            if self._conditions_hold(problem, recoding, is_deleted, guard):
                return recoding, is_deleted
        # Only methods with this parameter suppress rows.
        no_suppression: dict[str, Any] = {"suppression": 0.0}
        recoding = dataclasses.replace(self, **no_suppression).solve(problem, guard)
        return dataclasses.replace(recoding, optimal=False), no_deletions

    def _describe_search(self, recoding: RecodingResult, loss: float) -> SearchOutcome:
        """How the search ended, in words too."""
        search = recoding.how
        if self.weights:
            # Least by weight is not least by NCP: what was proven holds for the weights only.
            weights = (f"{name} × {weight:g}" for name, weight in self.weights.items())
            search = Message("with weights ({weights})", weights=join_messages(weights))
        optimal = (recoding.optimal and not self.weights) or loss == 0.0
        note = Message(
            "{method}: NCP {loss:.4g}, {search}; proven optimal"
            if optimal
            else "{method}: NCP {loss:.4g}, {search}; not proven optimal",
            method=self.name,
            loss=loss,
            search=search,
        )
        return SearchOutcome(self.name, optimal, loss, note)

    def _conditions_hold(
        self,
        problem: RecodingProblem,
        recoding: RecodingResult,
        is_deleted: np.ndarray,
        guard: Guard,
    ) -> bool:
        """Whether the classes hold among the rows that are left."""
        hidden_rows = int(problem.counts[recoding.suppressed & ~is_deleted].sum())
        if 0 < hidden_rows < self.k or not guard:
            return not 0 < hidden_rows < self.k
        class_of = visible_classes(problem, recoding.levels, recoding.suppressed)
        class_of = np.unique(np.where(is_deleted, -1, class_of), return_inverse=True)[1]
        return bool(guard.against(~is_deleted).allowed(class_of - int(is_deleted.any())).all())


def label_cells(
    tuple_counts: TupleCounts,
    problem: RecodingProblem,
    recoding: RecodingResult,
    hierarchies: Mapping[str, Hierarchy],
) -> dict[str, pl.Series]:
    """The label of every tuple's node; a column that stays at its leaves keeps its type."""
    cells = {}
    for j, name in enumerate(tuple_counts.columns):
        hierarchy, levels = hierarchies[name], recoding.levels[:, j]
        is_unchanged = not levels.any() and not recoding.suppressed.any()
        # Whether no two values share a leaf, as the texts `1` and `1.0` do; all leaves occur.
        if is_unchanged and np.count_nonzero(np.bincount(problem.codes[:, j])) == len(
            tuple_counts.values[j]
        ):
            cells[name] = tuple_counts.values[j].gather(tuple_counts.codes[:, j])
            continue
        level_offsets = np.cumsum([0, *(len(names) for names in hierarchy.names)])
        nodes = level_offsets[levels] + hierarchy.up[levels, problem.codes[:, j]]
        nodes = np.where(recoding.suppressed, level_offsets[-1] - 1, nodes)
        # A node without a name stands for missing values.
        labels = pl.concat([*hierarchy.names[:-1], pl.Series([SUPPRESSED_CELL])]).replace("", None)
        cells[name] = labels.gather(nodes)
    return cells
