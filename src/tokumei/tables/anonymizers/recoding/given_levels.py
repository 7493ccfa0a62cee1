"""Full-domain recoding at levels that somebody chose, and what would repair levels that fail.

    result = recode_at_levels(problem, LatticeQuery(k=5, suppression=0.02), {"age": 3, "sex": 0})

Columns that are not named stay as they are (level 0). Where more rows would have to be suppressed
than may be, nothing is changed: the error names the smallest coarsening that repairs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.tables.anonymizers.recoding.lattice_task import (
    FullDomainResult,
    LatticeNode,
    LatticeQuery,
    LatticeTask,
    NodeLevels,
)
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.data.schema import COLUMN_NOUN

MAX_REPAIRS = 20_000
"""Coarser nodes that are looked at for a repair."""


def recode_at_levels(
    problem: RecodingProblem, query: LatticeQuery, levels: Mapping[str, int]
) -> FullDomainResult:
    """The classes at these levels, small ones suppressed; an error if they are too many."""
    task = LatticeTask(problem, query, lambda _: None)
    node = task.visit(order_levels(problem, levels))
    if not task.feasible(node):
        raise _too_small_error(task, node)
    return task.build_result(bound=task.loss)


def order_levels(problem: RecodingProblem, levels: Mapping[str, int]) -> NodeLevels:
    """The levels in the order of the columns; fails on unknown columns and levels."""
    for name, level in levels.items():
        if name not in problem.names:
            raise UnknownNameError(COLUMN_NOUN, name, problem.names, field="levels")
        height = int(problem.heights[problem.names.index(name)])
        if not 0 <= level <= height:
            raise UsageError(
                "the hierarchy of '{column}' has the levels 0 to {height}, not {level}",
                column=name,
                height=height,
                level=level,
                field="levels",
            )
    return tuple(int(levels.get(name, 0)) for name in problem.names)


def find_repair(task: LatticeTask, levels: NodeLevels) -> NodeLevels | None:
    """The feasible node above these levels by the fewest steps; of those, the one of least loss."""
    steps, looked_at = int(sum(task.top)) - sum(levels), 0
    for step in range(1, steps + 1):
        repairs = []
        for raised in _nodes_above(levels, task.top, step):
            looked_at += 1
            if looked_at > MAX_REPAIRS:
                return None
            node = task.evaluator.node(raised)
            if task.feasible(node):
                repairs.append((task.objective.loss(node), raised))
        if repairs:
            return min(repairs)[1]
    return None


def _nodes_above(levels: NodeLevels, top: NodeLevels, steps: int) -> Iterator[NodeLevels]:
    """All nodes that are so many steps above, each once."""
    if not levels:
        if not steps:
            yield ()
        return
    for raised in range(min(steps, top[0] - levels[0]) + 1):
        for rest in _nodes_above(levels[1:], top[1:], steps - raised):
            yield (levels[0] + raised, *rest)


def format_levels(problem: RecodingProblem, levels: NodeLevels) -> Message:
    """Levels as they are given: age=3,sex=0."""
    pairs = (f"{name}={level}" for name, level in zip(problem.names, levels, strict=True))
    return join_messages(pairs, Message.verbatim(","))


def _too_small_error(task: LatticeTask, node: LatticeNode) -> InputError:
    """How many rows would be lost, and the smallest coarsening that repairs it."""
    repair = find_repair(task, node.levels)
    if repair is None:
        return InputError(
            "at these levels {rows:,} of {all_rows:,} rows are in classes that may not be "
            "released; {limit:,} may be suppressed",
            rows=node.suppressed,
            all_rows=task.problem.rows,
            limit=task.limit,
        )
    return InputError(
        "at these levels {rows:,} of {all_rows:,} rows are in classes that may not be released; "
        "{limit:,} may be suppressed. The smallest coarsening that repairs it: {levels}",
        rows=node.suppressed,
        all_rows=task.problem.rows,
        limit=task.limit,
        levels=format_levels(task.problem, repair),
    )
