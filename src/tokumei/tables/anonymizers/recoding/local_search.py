"""Searches a local recoding: classes of at least k rows, each at its own levels.

    result = recode_locally(problem, k=5, effort="high", seed=1, threads=2)
    result.levels, result.class_of, result.loss

Level vectors are visited by what they cost, *cheapest first*; a lattice too large to visit whole is
sampled: its cheapest vectors, and random climbs to the top. Annealing follows. Effort counts
rounds and moves, never seconds: one seed gives one result on any machine, with any threads.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Literal

import numpy as np

from tokumei.kernels.local_recoding import cheapest_first
from tokumei.tables.anonymizers.recoding.annealing import (
    AnnealingSchedule,
    anneal_rounds,
    tuple_suppression_gains,
)
from tokumei.tables.anonymizers.recoding.recoding_problem import (
    ClassBoxes,
    RecodedClasses,
    RecodingProblem,
    renumber_classes,
)
from tokumei.tables.data.column_encoding import number_tuples


def list_level_vectors(
    problem: RecodingProblem, *, at_most: int, seed: int = 0
) -> tuple[np.ndarray, bool]:
    """Level vectors by mean NCP over the rows (ties: lexicographic), and whether these are all."""
    means = [cost[:, problem.codes[:, j]] @ problem.counts for j, cost in enumerate(problem.cost)]
    complete = prod(int(height) + 1 for height in problem.heights) <= at_most
    if complete:
        vectors = np.indices(tuple(problem.heights + 1)).reshape(problem.columns, -1).T
    else:
        vectors = _sample_vectors(means, at_most, seed)
    total = sum(mean[vectors[:, j]] for j, mean in enumerate(means))
    rounded = np.round(total / problem.rows / problem.columns, 12)
    keys = [vectors[:, j] for j in reversed(range(problem.columns))]
    return np.ascontiguousarray(vectors[np.lexsort((*keys, rounded))]), complete


def _sample_vectors(means: list[np.ndarray], at_most: int, seed: int) -> np.ndarray:
    """Half the cheapest vectors, half from random climbs, always with the top."""
    vectors = set(_cheapest_vectors(means, at_most // 2))
    top = tuple(len(mean) - 1 for mean in means)
    random = np.random.default_rng(seed)
    for _ in range(at_most):
        if len(vectors) + sum(top) > at_most:
            break
        vectors.update(_random_climb(means, random))
    return np.array(sorted(vectors | {top}), dtype=np.int64)


def _cheapest_vectors(means: list[np.ndarray], at_most: int) -> list[tuple[int, ...]]:
    """The cheapest vectors, best first: each is reached by raising only columns after its last."""
    heap = [(0.0, (0,) * len(means), 0)]
    vectors: list[tuple[int, ...]] = []
    while heap and len(vectors) < at_most:
        cost, vector, last = heapq.heappop(heap)
        vectors.append(vector)
        for j in range(last, len(means)):
            level = vector[j]
            if level + 1 < len(means[j]):
                raised = (*vector[:j], level + 1, *vector[j + 1 :])
                heapq.heappush(heap, (cost + means[j][level + 1] - means[j][level], raised, j))
    return vectors


def _random_climb(means: list[np.ndarray], random: np.random.Generator) -> list[tuple[int, ...]]:
    """From the bottom to the top, one random column after the other, cheap steps rather early."""
    levels = [0] * len(means)
    path = []
    steps = [(j, level) for j, mean in enumerate(means) for level in range(1, len(mean))]
    prices = np.array([means[j][level] for j, level in steps]) + 1e-9
    for i in np.argsort(prices * random.exponential(size=len(steps)) ** 2, kind="stable"):
        levels[steps[i][0]] += 1
        path.append(tuple(levels))
    return path


Effort = Literal["normal", "high"] | int
MAX_VECTORS = 20_000
HIGH_EFFORT_ROUNDS = 35
MOVES_PER_TUPLE = 40
MAX_MOVES = 500_000


def recode_locally(
    problem: RecodingProblem,
    k: int,
    *,
    effort: Effort = "normal",
    seed: int = 0,
    suppression: float = 0.0,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> RecodedClasses:
    """Classes of ≥ k rows with little loss; `suppression` is the share of rows that may be lost.

    `effort` may be a number of rounds; `progress` is called with 1 after each. The result is
    `complete` if every level vector was visited at the start.
    """
    budget = int(suppression * problem.rows + 1e-9)
    vectors, complete = list_level_vectors(problem, at_most=MAX_VECTORS, seed=seed)
    initial_classes = cheapest_first(problem.codes, problem.counts, problem.up, vectors, k)
    class_of = place_unclassed_tuples(problem, initial_classes, budget)
    schedule = _plan_annealing(effort, len(problem.counts), k)
    schedule = replace(schedule, seed=seed, threads=threads, progress=progress)
    class_of = _anneal_classes(problem, class_of, schedule)
    class_of = suppress_outliers(problem, class_of, k, budget)
    return _build_result(problem, class_of, complete)


def _plan_annealing(effort: Effort, tuples: int, k: int) -> AnnealingSchedule:
    """Moves by the tuples; with large classes they take longer and change more at once."""
    if effort == "normal":
        moves = min(3 * tuples, 150_000) * 50 // (50 + k)
        return AnnealingSchedule(k=k, rounds=1, moves=moves, hot=0.4, cold=0.1)
    moves = min(MOVES_PER_TUPLE * max(tuples, 50), MAX_MOVES) * 20 // (20 + k)
    rounds = HIGH_EFFORT_ROUNDS if effort == "high" else effort
    return AnnealingSchedule(k=k, rounds=rounds, moves=moves, hot=1.1 * k**0.3, cold=0.2)


def _anneal_classes(
    problem: RecodingProblem, class_of: np.ndarray, schedule: AnnealingSchedule
) -> np.ndarray:
    """The better of the classes before and after annealing; suppressed tuples stay out of it."""
    released_tuples = np.flatnonzero(class_of >= 0)
    released_problem = RecodingProblem(
        problem.codes[released_tuples], problem.counts[released_tuples], problem.up, problem.cost
    )
    before = renumber_classes(class_of[released_tuples])
    loss = ClassBoxes.around(released_problem, before).loss()
    after = anneal_rounds(released_problem, before, schedule, loss)
    if ClassBoxes.around(released_problem, after).loss() < loss:
        class_of = class_of.copy()
        class_of[released_tuples] = after
    return class_of


def _build_result(problem: RecodingProblem, class_of: np.ndarray, complete: bool) -> RecodedClasses:
    """The boxes around the classes (the same box: one class); suppressed tuples are all `*`."""
    class_of = renumber_classes(class_of)
    boxes = ClassBoxes.around(problem, class_of)
    nodes = boxes.nodes().T
    box_numbers, _ = number_tuples(
        list(nodes), [int(column.max(initial=0)) + 1 for column in nodes]
    )
    is_released = class_of >= 0
    levels = np.tile(problem.heights, (len(class_of), 1)).astype(np.int8)
    levels[is_released] = boxes.levels[class_of[is_released]]
    suppressed_rows = problem.rows - int(boxes.rows.sum())
    class_of[is_released] = box_numbers[class_of[is_released]]
    return RecodedClasses(
        levels, class_of, (boxes.loss() + suppressed_rows) / problem.rows, complete
    )


def place_unclassed_tuples(
    problem: RecodingProblem, class_of: np.ndarray, budget: int
) -> np.ndarray:
    """Put tuples without a class (-1) into classes, or leave them within a budget of rows."""
    unclassed = np.flatnonzero(class_of < 0).tolist()
    if not unclassed:
        return class_of
    class_of, boxes = class_of.copy(), ClassBoxes.around(problem, class_of)
    bottom_levels = np.zeros(problem.columns, dtype=np.int64)
    for tuple_index in unclassed:
        rows = int(problem.counts[tuple_index])
        costs = boxes.cost_of_joining(tuple_index, bottom_levels, rows)
        best_class = int(costs.argmin())
        if rows <= budget and costs[best_class] >= rows:
            budget -= rows
        else:
            class_of[tuple_index] = best_class
            boxes.add(best_class, tuple_index)
    return class_of


def suppress_outliers(
    problem: RecodingProblem, class_of: np.ndarray, k: int, budget: int
) -> np.ndarray:
    """Within the budget, take single tuples out of classes that become so much smaller by it."""
    class_of = class_of.copy()
    budget -= int(problem.counts[class_of < 0].sum())
    changed = budget > 0
    while changed:
        changed = False
        gains = tuple_suppression_gains(problem, class_of, k)
        changed_classes: set[int] = set()
        for tuple_index in np.argsort(-gains, kind="stable")[: np.count_nonzero(gains > 1e-12)]:
            if (
                problem.counts[tuple_index] <= budget
                and int(class_of[tuple_index]) not in changed_classes
            ):
                changed_classes.add(int(class_of[tuple_index]))
                class_of[tuple_index] = -1
                budget -= int(problem.counts[tuple_index])
                changed = True
    return class_of
