"""k over every set of m columns: the best full-domain recoding against attackers who know m values.

    ColumnSets(k=5, m=2)

Whoever knows at most m of the quasi-identifiers of somebody finds at least k rows that fit. With
m = all columns this is k-anonymity. A node of the lattice is feasible if its levels are feasible
for every set of m columns, and coarser levels stay feasible (as in Incognito: LeFevre, DeWitt,
Ramakrishnan, 2005). So each set is searched once, and the best of all nodes is read off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.provenance import Claim, SearchOutcome
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.k_anonymizer import QI_TITLE, require_k
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.tables.anonymizers.recoding.lattice import ENUMERABLE, count_nodes
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.anonymizers.recoding_method import RecodingResult, label_cells
from tokumei.tables.data.column_encoding import number_tuples
from tokumei.tables.data.weighted_rows import total_rows
from tokumei.tables.engines.local import engine_for_frame
from tokumei.tables.engines.protocol import RecodedCells
from tokumei.tables.hierarchies.choose import AUTO, choose_hierarchies


@dataclass(frozen=True)
class ColumnSets(TableMethod):
    """The levels of least NCP with which every combination of m columns occurs in k rows.

    Proven best among all levels; nothing is suppressed.
    """

    name: ClassVar[str] = "column-sets"
    title: ClassVar[Message] = Message("k over every m columns")
    sentence: ClassVar[Message] = Message(
        "Finds the provably best level for every column as a whole so that any m columns together "
        "fit k rows."
    )
    leaves_open: ClassVar[Message] = Message(
        "Whoever knows more than m of the columns may find a single row, and members of a class "
        "who share a sensitive value give it away."
    )

    k: int = 5
    m: int = 2
    hierarchies: str | Mapping[str, str] = AUTO

    def done(self) -> Message:
        """What every set of columns keeps."""
        return Message(
            "{title}: every combination of at most {m} quasi-identifiers occurs in at least {k} "
            "rows",
            title=self.title,
            m=self.m,
            k=self.k,
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Recode the quasi-identifiers."""
        table, qi = step.table, step.table.schema.qi
        require_k(self.k, total_rows(table.frame))
        require_columns(self.name, qi, QI_TITLE)
        if self.m < 1:
            raise UsageError("{name}: m must be at least 1, not {m}", name=self.name, m=self.m)
        hierarchies = choose_hierarchies(self.hierarchies, table.frame, qi)
        engine = engine_for_frame(table.frame)
        tuple_counts = engine.tuples(qi)
        problem = RecodingProblem.of(tuple_counts, hierarchies)
        levels = find_column_set_levels(problem, self.k, min(self.m, len(qi)))
        result = RecodingResult.whole(np.tile(levels, (len(problem.counts), 1)))
        cells = label_cells(tuple_counts, problem, result, hierarchies)
        frame = engine.give(RecodedCells(tuple_counts, cells)).frame
        claim = Claim("k-of-columns", {"k": self.k, "m": self.m, "columns": qi})
        loss = result.loss(problem)
        note = Message("{method}: NCP {loss:.4g}; proven optimal", method=self.name, loss=loss)
        search = SearchOutcome(self.name, optimal=True, loss=loss, note=note)
        return Step(table.with_frame(frame), step.link, (*step.claims, claim), (search,))


def find_column_set_levels(problem: RecodingProblem, k: int, m: int) -> np.ndarray:
    """The level of every column with the least mean NCP; of equals the first lexicographically."""
    if count_nodes(problem.heights) > ENUMERABLE:
        raise UsageError(
            "column-sets: the hierarchies have more than {limit:,} combinations of levels; use "
            "fewer columns or lower hierarchies",
            limit=ENUMERABLE,
        )
    shape = tuple(int(height) + 1 for height in problem.heights)
    is_feasible = np.ones(shape, dtype=bool)
    column_sets = list(combinations(range(problem.columns), m))
    for columns in track_progress(column_sets, Message("searching levels")):
        kept_axes = [shape[j] if j in columns else 1 for j in range(problem.columns)]
        is_feasible &= feasible_levels(problem, columns, k).reshape(kept_axes)
    loss = np.zeros(shape)
    for j, cost in enumerate(problem.cost):
        mean = (cost[:, problem.codes[:, j]] * problem.counts).sum(axis=1)
        loss += mean.reshape([-1 if axis == j else 1 for axis in range(problem.columns)])
    if not is_feasible.any():
        raise UsageError("k = {k} is more than the {rows} rows there are", k=k, rows=problem.rows)
    best = np.argmin(np.where(is_feasible, np.round(loss / problem.rows, 12), np.inf))
    return np.array(np.unravel_index(best, shape), dtype=np.int64)


def feasible_levels(problem: RecodingProblem, columns: tuple[int, ...], k: int) -> np.ndarray:
    """At which levels of some columns every combination of their values has k rows."""
    shape = tuple(int(problem.heights[j]) + 1 for j in columns)
    is_feasible = np.zeros(shape, dtype=bool)
    distinct, counts = _count_tuples([problem.codes[:, j] for j in columns], problem.counts)
    for levels in product(*map(range, shape)):
        # Coarser levels of feasible ones are feasible.
        lower = (
            is_feasible[(*levels[:place], level - 1, *levels[place + 1 :])]
            for place, level in enumerate(levels)
            if level
        )
        chosen = zip(columns, levels, distinct, strict=True)
        nodes = [problem.up[j][level][leaves] for j, level, leaves in chosen]
        is_feasible[levels] = any(lower) or _count_tuples(nodes, counts)[1].min() >= k
    return is_feasible


def _count_tuples(
    columns: list[np.ndarray], counts: np.ndarray
) -> tuple[list[np.ndarray], np.ndarray]:
    """The distinct tuples, column by column, and the rows of each."""
    sizes = [int(codes.max()) + 1 for codes in columns]
    numbers, distinct = number_tuples(columns, sizes)
    example = np.empty(distinct, dtype=np.int64)
    example[numbers] = np.arange(len(numbers))
    return [codes[example] for codes in columns], np.bincount(numbers, counts).astype(np.int64)
