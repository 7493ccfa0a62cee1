"""Local recoding: every row at the levels it needs, in classes of at least k rows.

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

from tokumei.kernels.local import cheapest_first
from tokumei.tables.anonymizers.recoding.local_parts import Schedule, gains_of_leaving, improve
from tokumei.tables.anonymizers.recoding.problem import Boxes, Classes, RecodingProblem, renumber
from tokumei.tables.data.codes import number_tuples


def level_vectors(
    problem: RecodingProblem, *, at_most: int, seed: int = 0
) -> tuple[np.ndarray, bool]:
    """Level vectors by mean NCP over the rows (ties: lexicographic), and whether these are all."""
    means = [cost[:, problem.codes[:, j]] @ problem.counts for j, cost in enumerate(problem.cost)]
    complete = prod(int(height) + 1 for height in problem.heights) <= at_most
    if complete:
        vectors = np.indices(tuple(problem.heights + 1)).reshape(problem.columns, -1).T
    else:
        vectors = _sample(means, at_most, seed)
    total = sum(mean[vectors[:, j]] for j, mean in enumerate(means))
    rounded = np.round(total / problem.rows / problem.columns, 12)
    keys = [vectors[:, j] for j in reversed(range(problem.columns))]
    return np.ascontiguousarray(vectors[np.lexsort((*keys, rounded))]), complete


def _sample(means: list[np.ndarray], at_most: int, seed: int) -> np.ndarray:
    """Half the cheapest vectors, half from random climbs, always with the top."""
    chosen = set(_cheapest(means, at_most // 2))
    top = tuple(len(mean) - 1 for mean in means)
    random = np.random.default_rng(seed)
    for _ in range(at_most):
        if len(chosen) + sum(top) > at_most:
            break
        chosen.update(_climb(means, random))
    return np.array(sorted(chosen | {top}), dtype=np.int64)


def _cheapest(means: list[np.ndarray], at_most: int) -> list[tuple[int, ...]]:
    """The cheapest vectors, best first: each is reached by raising only columns after its last."""
    heap = [(0.0, (0,) * len(means), 0)]
    found: list[tuple[int, ...]] = []
    while heap and len(found) < at_most:
        cost, vector, last = heapq.heappop(heap)
        found.append(vector)
        for j in range(last, len(means)):
            at = vector[j]
            if at + 1 < len(means[j]):
                raised = (*vector[:j], at + 1, *vector[j + 1 :])
                heapq.heappush(heap, (cost + means[j][at + 1] - means[j][at], raised, j))
    return found


def _climb(means: list[np.ndarray], random: np.random.Generator) -> list[tuple[int, ...]]:
    """From the bottom to the top, one random column after the other, cheap steps rather early."""
    levels = [0] * len(means)
    path = []
    steps = [(j, at) for j, mean in enumerate(means) for at in range(1, len(mean))]
    prices = np.array([means[j][at] for j, at in steps]) + 1e-9
    for i in np.argsort(prices * random.exponential(size=len(steps)) ** 2, kind="stable"):
        levels[steps[i][0]] += 1
        path.append(tuple(levels))
    return path


Effort = Literal["normal", "high"] | int
VECTORS_AT_MOST = 20_000
ROUNDS_OF_HIGH = 35
MOVES_PER_TUPLE = 40
MOVES_AT_MOST = 500_000


def recode_locally(
    problem: RecodingProblem,
    k: int,
    *,
    effort: Effort = "normal",
    seed: int = 0,
    suppression: float = 0.0,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Classes:
    """Classes of ≥ k rows with little loss; `suppression` is the share of rows that may be lost.

    `effort` may be a number of rounds; `progress` is called with 1 after each. The result is
    `complete` if every level vector was visited at the start.
    """
    budget = int(suppression * problem.rows + 1e-9)
    vectors, complete = level_vectors(problem, at_most=VECTORS_AT_MOST, seed=seed)
    started = cheapest_first(problem.codes, problem.counts, problem.up, vectors, k)
    class_of = place_leftovers(problem, started, budget)
    schedule = _schedule(effort, len(problem.counts), k)
    schedule = replace(schedule, seed=seed, threads=threads, progress=progress)
    class_of = _annealed(problem, class_of, schedule)
    class_of = suppress_outliers(problem, class_of, k, budget)
    return _result(problem, class_of, complete)


def _schedule(effort: Effort, tuples: int, k: int) -> Schedule:
    """Moves by the tuples; with large classes they take longer and change more at once."""
    if effort == "normal":
        moves = min(3 * tuples, 150_000) * 50 // (50 + k)
        return Schedule(k=k, rounds=1, moves=moves, hot=0.4, cold=0.1)
    moves = min(MOVES_PER_TUPLE * max(tuples, 50), MOVES_AT_MOST) * 20 // (20 + k)
    rounds = ROUNDS_OF_HIGH if effort == "high" else effort
    return Schedule(k=k, rounds=rounds, moves=moves, hot=1.1 * k**0.3, cold=0.2)


def _annealed(problem: RecodingProblem, class_of: np.ndarray, schedule: Schedule) -> np.ndarray:
    """The better of the classes before and after annealing; suppressed tuples stay out of it."""
    kept = np.flatnonzero(class_of >= 0)
    inner = RecodingProblem(problem.codes[kept], problem.counts[kept], problem.up, problem.cost)
    before = renumber(class_of[kept])
    loss = Boxes.around(inner, before).loss()
    after = improve(inner, before, schedule, loss)
    if Boxes.around(inner, after).loss() < loss:
        class_of = class_of.copy()
        class_of[kept] = after
    return class_of


def _result(problem: RecodingProblem, class_of: np.ndarray, complete: bool) -> Classes:
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
    return Classes(levels, class_of, (boxes.loss() + lost) / problem.rows, complete)


def place_leftovers(problem: RecodingProblem, class_of: np.ndarray, budget: int) -> np.ndarray:
    """Put tuples without a class (-1) into classes, or leave them within a budget of rows."""
    left = np.flatnonzero(class_of < 0).tolist()
    if not left:
        return class_of
    class_of, boxes = class_of.copy(), Boxes.around(problem, class_of)
    ground = np.zeros(problem.columns, dtype=np.int64)
    for t in left:
        rows = int(problem.counts[t])
        costs = boxes.cost_of_joining(t, ground, rows)
        best = int(costs.argmin())
        if rows <= budget and costs[best] >= rows:
            budget -= rows
        else:
            class_of[t] = best
            boxes.add(best, t)
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
        gains = gains_of_leaving(problem, class_of, k)
        done: set[int] = set()
        for t in np.argsort(-gains, kind="stable")[: np.count_nonzero(gains > 1e-12)]:
            if problem.counts[t] <= budget and int(class_of[t]) not in done:
                done.add(int(class_of[t]))
                class_of[t] = -1
                budget -= int(problem.counts[t])
                changed = True
    return class_of
