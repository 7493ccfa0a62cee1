"""What all recoding methods share: frequencies → kernel → cells, then the suppressed rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tokumei.core.cells import STAR
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.release import Search
from tokumei.core.text import Text
from tokumei.tables.anonymizers.conditions.guard import Guard, GuardedColumn
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer, Recoded
from tokumei.tables.anonymizers.protocol import require_share
from tokumei.tables.anonymizers.recoding.local_conditions import visible_classes
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_of
from tokumei.tables.engines.protocol import Frequencies, NewCells
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy

HEURISTIC = Text("by a heuristic", "発見的手法による")


@dataclass(frozen=True, eq=False)
class Recoding:
    """A level for every tuple and column, and the tuples whose rows are suppressed.

    `optimal`: the method has proven that none of its kind is better. `how` it was found, in words.
    """

    levels: np.ndarray
    suppressed: np.ndarray
    optimal: bool = False
    how: Text = HEURISTIC

    @classmethod
    def whole(cls, levels: np.ndarray) -> Recoding:
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

    hierarchies: str | Mapping[str, str] = AUTO
    weights: Mapping[str, float] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        require_share(self.name, getattr(self, "suppression", 0.0), "suppression")
        if any(not 0 < weight < np.inf for weight in self.weights.values()):
            raise UsageError(
                f"{self.name}: weights are numbers above 0",
                f"{self.name}: weights は正の数にしてください",
            )

    def solve(self, problem: RecodingProblem, guard: Guard) -> Recoding:
        """Levels for the tuples of a problem, in classes that the guard allows."""
        raise NotImplementedError

    def recode(self, table: Table, columns: list[GuardedColumn]) -> Recoded:
        """Generalize the QI."""
        frame, qi = table.frame, table.schema.qi
        engine = engine_of(frame)
        with ThreadPoolExecutor(1) as beside:
            choice = beside.submit(choose_hierarchies, self.hierarchies, frame, qi)
            found = engine.tuples(qi)
        guard = Guard.of(engine, found, columns)
        chosen = choice.result()
        problem = RecodingProblem.of(found, chosen)
        made, deleted = self._settled(self._weighted(problem, qi), guard)
        search = self._search(made, made.loss(problem))
        cells = recoded_cells(found, problem, made, chosen)
        kept = np.flatnonzero(~deleted[found.rows]) if deleted.any() else None
        return Recoded(engine.give(NewCells(found, cells)).frame, kept, search)

    def describe(self) -> list[dict[str, Any]]:
        """The method and its parameters as plain data."""
        (plain,) = super().describe()
        given, weights = self.hierarchies, plain.pop("weights", {})
        plain["hierarchies"] = given if isinstance(given, str) else dict(given)
        return [plain | ({"weights": dict(weights)} if weights else {})]

    def _weighted(self, problem: RecodingProblem, qi: list[str]) -> RecodingProblem:
        """The problem with costs by weight; a row that is lost in all columns costs the same."""
        for name in self.weights:
            if name not in qi:
                raise UnknownNameError(COLUMN, name, qi, where=f"{self.name}.weights")
        if not self.weights:
            return problem
        given = np.array([self.weights.get(name, 1.0) for name in qi])
        shares = given / given.mean()
        cost = tuple(table * share for table, share in zip(problem.cost, shares, strict=True))
        return dataclasses.replace(problem, cost=cost)

    def _settled(self, problem: RecodingProblem, guard: Guard) -> tuple[Recoding, np.ndarray]:
        """The recoding, and the tuples whose rows are deleted rather than shown as `*`."""
        made = self.solve(problem, guard)
        nothing = np.zeros(len(problem.counts), dtype=bool)
        for deleted in (nothing, made.suppressed):
            if self._keeps_promise(problem, made, deleted, guard):
                return made, deleted
        # Only methods with this parameter suppress rows.
        whole: dict[str, Any] = {"suppression": 0.0}
        made = dataclasses.replace(self, **whole).solve(problem, guard)
        return dataclasses.replace(made, optimal=False), nothing

    def _search(self, made: Recoding, loss: float) -> Search:
        """How the search ended, in words too."""
        how = made.how
        if self.weights:
            # Least by weight is not least by NCP: what was proven holds for the weights only.
            listed = ", ".join(f"{name} × {weight:g}" for name, weight in self.weights.items())
            how = Text(f"with weights ({listed})", f"重み付き ({listed})")
        en, ja = f"{self.name}: NCP {loss:.4g}, {how.en}; ", f"{self.name}: NCP {loss:.4g}、"
        note = Text(en + "not proven optimal", ja + f"{how.ja}。最適とは証明されていません")
        optimal = (made.optimal and not self.weights) or loss == 0.0
        if optimal:
            note = Text(en + "proven optimal", ja + f"{how.ja}。最適と証明済み")
        return Search(self.name, optimal, loss, note)

    def _keeps_promise(
        self, problem: RecodingProblem, made: Recoding, deleted: np.ndarray, guard: Guard
    ) -> bool:
        """Whether the classes hold among the rows that are left."""
        hidden = int(problem.counts[made.suppressed & ~deleted].sum())
        if 0 < hidden < self.k or not guard:
            return not 0 < hidden < self.k
        class_of = visible_classes(problem, made.levels, made.suppressed)
        class_of = np.unique(np.where(deleted, -1, class_of), return_inverse=True)[1]
        return bool(guard.against(~deleted).allowed(class_of - int(deleted.any())).all())


def recoded_cells(
    found: Frequencies,
    problem: RecodingProblem,
    made: Recoding,
    hierarchies: Mapping[str, Hierarchy],
) -> dict[str, pl.Series]:
    """The label of every tuple's node; a column that stays at its leaves keeps its type."""
    cells = {}
    for j, name in enumerate(found.columns):
        hierarchy, levels = hierarchies[name], made.levels[:, j]
        plain = not levels.any() and not made.suppressed.any()
        # Whether no two values share a leaf, as the texts `1` and `1.0` do; all leaves occur.
        if plain and np.count_nonzero(np.bincount(problem.codes[:, j])) == len(found.values[j]):
            cells[name] = found.values[j].gather(found.codes[:, j])
            continue
        first = np.cumsum([0, *(len(names) for names in hierarchy.names)])
        nodes = first[levels] + hierarchy.up[levels, problem.codes[:, j]]
        nodes = np.where(made.suppressed, first[-1] - 1, nodes)
        # A node without a name stands for missing values.
        labels = pl.concat([*hierarchy.names[:-1], pl.Series([STAR])]).replace("", None)
        cells[name] = labels.gather(nodes)
    return cells
