"""What all recoding methods share: frequencies → kernel → cells, then the suppressed rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tokumei.anonymizers.mondrian import require_k
from tokumei.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.anonymizers.recoding.problem import RecodingProblem
from tokumei.data.cells import STAR
from tokumei.data.hierarchies.choose import AUTO, choose_hierarchies
from tokumei.data.hierarchies.hierarchy import Hierarchy
from tokumei.data.randomness import Randomness
from tokumei.data.release import Claim
from tokumei.engine.local import LocalEngine
from tokumei.engine.protocol import Frequencies
from tokumei.text import Text

_ROW = "tokumei_gone"


@dataclass(frozen=True, eq=False)
class Recoding:
    """A level for every tuple and column, and the tuples whose rows are suppressed."""

    levels: np.ndarray
    suppressed: np.ndarray

    @classmethod
    def whole(cls, levels: np.ndarray) -> Recoding:
        """Nothing is suppressed."""
        return cls(levels, np.zeros(len(levels), dtype=bool))


@dataclass(frozen=True)
class RecodingMethod(TableMethod):
    """Base of the methods that generalize along hierarchies; `solve` is the kernel.

    Every QI vector occurs at least k times. Suppressed rows become `*` in every QI; if they are
    fewer than k they are deleted instead, so that not even they can be told apart.
    """

    k: int = 5
    hierarchies: str | Mapping[str, str] = AUTO

    def solve(self, problem: RecodingProblem) -> Recoding:
        """Levels for the tuples of a problem."""
        raise NotImplementedError

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Generalize the QI."""
        table, qi = step.table, step.table.schema.qi
        require_k(self.k, table.rows)
        require_columns(self.name, qi, Text("quasi-identifier (QI)", "準識別子"))
        engine = LocalEngine()
        found = engine.frequencies(table.frame, qi)
        chosen = choose_hierarchies(self.hierarchies, table.frame, qi)
        problem = RecodingProblem.of(found, chosen)
        made = self.solve(problem)
        gone = bool(0 < problem.counts[made.suppressed].sum() < self.k)
        cells = recoded_cells(found, problem, made, chosen)
        cells[_ROW] = pl.Series(made.suppressed & gone)
        frame = engine.recode(table.frame.with_columns(pl.lit(None).alias(_ROW)), found, cells)
        kept = np.flatnonzero(~frame[_ROW].to_numpy())
        claim = Claim("k-anonymity", {"k": self.k, "columns": list(qi)})
        released = (
            table.with_frame(frame.drop(_ROW)).take(kept)
            if gone
            else (table.with_frame(frame.drop(_ROW)))
        )
        return Step(released, step.link[kept], (*step.claims, claim))

    def describe(self) -> list[dict[str, Any]]:
        """The method and its parameters as plain data."""
        (plain,) = super().describe()
        given = self.hierarchies
        return [plain | {"hierarchies": given if isinstance(given, str) else dict(given)}]


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
        if not levels.any() and not made.suppressed.any():
            cells[name] = found.values[j].gather(found.codes[:, j])
            continue
        first = np.cumsum([0, *(len(names) for names in hierarchy.names)])
        nodes = first[levels] + hierarchy.up[levels, problem.codes[:, j]]
        nodes = np.where(made.suppressed, first[-1] - 1, nodes)
        # A node without a name stands for missing values.
        labels = pl.concat([*hierarchy.names[:-1], pl.Series([STAR])])
        cells[name] = labels.gather(nodes).replace("", None)
    return cells
