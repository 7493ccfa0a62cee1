"""Full-domain (global) recoding: one level per column, the provably best node of the lattice.

    found = best_levels(problem, k=5, suppression=0.02)
    found.levels, found.loss, found.optimal

Lattices of up to a million nodes are searched until the answer is proven (or the budget of nodes is
used up); larger ones give the best node found, with a bound of what might be missed.
"""

from __future__ import annotations

from tokumei.core.errors import UnknownNameError
from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.tables.anonymizers.recoding.flash import flash
from tokumei.tables.anonymizers.recoding.lattice_board import ENUMERABLE, Board, nodes_of
from tokumei.tables.anonymizers.recoding.lattice_large import search_large
from tokumei.tables.anonymizers.recoding.lattice_node import Allowed
from tokumei.tables.anonymizers.recoding.lattice_objective import Wanted
from tokumei.tables.anonymizers.recoding.lattice_task import FullDomain, LatticeTask, Question
from tokumei.tables.anonymizers.recoding.ola import ola
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem

STRATEGIES = {"flash": flash, "ola": ola}
SEARCHING = Text("searching levels", "一般化レベルを探索中")


def best_levels(
    problem: RecodingProblem,
    k: int,
    *,
    suppression: float = 0.0,
    objective: Wanted = "ncp",
    budget: int | None = None,
    allowed: Allowed | None = None,
    monotone: bool = True,
    strategy: str = "flash",
) -> FullDomain:
    """The node with the least loss whose suppressed rows are at most this share of all.

    `budget` counts nodes. `allowed` is asked for every class besides its size, `monotone` says that
    unions of allowed classes are allowed. Both strategies give the same answer. Ties go to the node
    with more classes, then to the first in lexicographic order.
    """
    if strategy not in STRATEGIES:
        raise UnknownNameError(Text("strategy", "探索法"), strategy, STRATEGIES)
    question = Question(
        k=k,
        suppression=suppression,
        objective=objective,
        budget=budget,
        allowed=allowed,
        monotone=monotone,
    )
    with meter(SEARCHING) as advance:
        task = LatticeTask(problem, question, advance)
        if nodes_of(problem.heights) > ENUMERABLE:
            return search_large(task)
        board = Board(task)
        STRATEGIES[strategy](board)
        return board.answer()
