"""Local recoding: every row at the levels it needs, in classes of at least k rows.

    result = recode_locally(problem, k=5, effort="high", seed=1, threads=2)
    result.levels, result.class_of, result.loss

First *cheapest first* (local_order), then annealing from there (local_parts, local_moves). Effort
counts rounds and moves, never seconds: one seed gives one result on any machine, with any threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tokumei.kernels.local import cheapest_first
from tokumei.tables.anonymizers.recoding.level_vectors import level_vectors
from tokumei.tables.anonymizers.recoding.local_boxes import Boxes, renumber
from tokumei.tables.anonymizers.recoding.local_leftovers import place_leftovers, suppress_outliers
from tokumei.tables.anonymizers.recoding.local_parts import Schedule, improve
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem
from tokumei.tables.data.codes import number_tuples

Effort = Literal["normal", "high"] | int
VECTORS_AT_MOST = 20_000
ROUNDS_OF_HIGH = 35
MOVES_PER_TUPLE = 40
MOVES_AT_MOST = 500_000


@dataclass(frozen=True, eq=False)
class LocalRecoding:
    """Levels (tuples × columns), the class of every tuple (-1: suppressed), the mean NCP.

    `complete` says that every level vector was visited at the start; the result is never proven
    to be the best one.
    """

    levels: np.ndarray
    class_of: np.ndarray
    loss: float
    complete: bool


def recode_locally(
    problem: RecodingProblem,
    k: int,
    *,
    effort: Effort = "normal",
    seed: int = 0,
    suppression: float = 0.0,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> LocalRecoding:
    """Classes of ≥ k rows with little loss; `suppression` is the share of rows that may be lost.

    `effort` may be a number of rounds; `progress` is called with 1 after each.
    """
    if not 1 <= k <= problem.rows:
        raise ValueError(f"k must be between 1 and the number of rows ({problem.rows}): {k}")
    budget = int(suppression * problem.rows + 1e-9)
    vectors, complete = level_vectors(problem, at_most=VECTORS_AT_MOST, seed=seed)
    started = cheapest_first(problem.codes, problem.counts, problem.up, vectors, k)
    class_of = place_leftovers(problem, started, budget)
    class_of = _annealed(
        problem, class_of, k, _schedule(effort, len(problem.counts), k), seed, threads, progress
    )
    class_of = suppress_outliers(problem, class_of, k, budget)
    return _result(problem, class_of, complete)


def rounds_of(effort: Effort) -> int:
    """How many rounds an effort has (what `progress` will count up to)."""
    if isinstance(effort, int):
        return effort
    return ROUNDS_OF_HIGH if effort == "high" else 1


def _schedule(effort: Effort, tuples: int, k: int) -> Schedule:
    """Moves by the tuples; with large classes they take longer and change more at once."""
    if effort == "normal":
        moves = min(3 * tuples, 150_000) * 50 // (50 + k)
        return Schedule(rounds=1, moves=moves, hot=0.4, cold=0.1)
    moves = min(MOVES_PER_TUPLE * max(tuples, 50), MOVES_AT_MOST) * 20 // (20 + k)
    return Schedule(rounds=rounds_of(effort), moves=moves, hot=1.1 * k**0.3, cold=0.2)


def _annealed(
    problem: RecodingProblem,
    class_of: np.ndarray,
    k: int,
    schedule: Schedule,
    seed: int,
    threads: int,
    progress: Callable[[float], None] | None,
) -> np.ndarray:
    """The better of the classes before and after annealing; suppressed tuples stay out of it."""
    kept = np.flatnonzero(class_of >= 0)
    inner = RecodingProblem(problem.codes[kept], problem.counts[kept], problem.up, problem.cost)
    before = renumber(class_of[kept])
    after = improve(
        inner, before, k, schedule, seed=seed, threads=threads, advance=progress or (lambda _: None)
    )
    if Boxes.around(inner, after).loss() < Boxes.around(inner, before).loss():
        class_of = class_of.copy()
        class_of[kept] = after
    return class_of


def _result(problem: RecodingProblem, class_of: np.ndarray, complete: bool) -> LocalRecoding:
    """The boxes around the classes (the same box: one class); suppressed tuples are all `*`."""
    class_of = renumber(class_of)
    boxes = Boxes.around(problem, class_of)
    nodes = boxes.nodes().T
    same, _ = number_tuples(list(nodes), [int(column.max(initial=0)) + 1 for column in nodes])
    inside = class_of >= 0
    levels = np.tile(problem.heights, (len(class_of), 1)).astype(np.int8)
    levels[inside] = boxes.levels[class_of[inside]]
    lost = problem.rows - int(boxes.rows.sum())
    class_of[inside] = same[class_of[inside]]
    return LocalRecoding(levels, class_of, (boxes.loss() + lost) / problem.rows, complete)
