"""Annealing a local recoding in rounds: each round cuts the classes into parts, one state each.

    class_of = improve(problem, class_of, k, schedule, seed=0, threads=2)

Neighbouring classes come into one part, neighbouring by another mix of columns in every round. The
parts of a round do not depend on each other, so the result does not depend on the threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from tokumei.kernels.local import anneal, gain_of_leaving
from tokumei.tables.anonymizers.recoding.local_boxes import Boxes, renumber
from tokumei.tables.anonymizers.recoding.local_start import state_of
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem

PART_AT_MOST = 8192
PARTS_AT_LEAST = 2
TOO_SMALL_TO_CUT = 256


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long and how hot: temperatures are multiples of the mean NCP of a row at the start."""

    rounds: int
    moves: int
    hot: float
    cold: float


def improve(
    problem: RecodingProblem,
    class_of: np.ndarray,
    k: int,
    schedule: Schedule,
    *,
    seed: int,
    threads: int,
    advance: Callable[[float], None],
) -> np.ndarray:
    """The classes after annealing; every tuple must have a class of ≥ k rows."""
    mean = Boxes.around(problem, class_of).loss() / problem.rows
    if mean == 0.0:
        return class_of
    ranks = _leaf_ranks(problem)
    cooling = (schedule.cold / schedule.hot) ** np.linspace(0.0, 1.0, schedule.rounds + 1)
    heat = mean * schedule.hot * cooling
    with ThreadPoolExecutor(threads) as pool:
        for n in range(schedule.rounds):
            random = np.random.default_rng([seed, n])
            parts = _cut(problem, class_of, ranks, random)
            jobs = [
                _Job(problem, part, class_of[part], k, schedule.moves, heat[n : n + 2], mean, seed)
                for part, seed in zip(parts, random.integers(2**63, size=len(parts)), strict=True)
            ]
            class_of = _joined(class_of, parts, list(pool.map(_Job.run, jobs)))
            advance(1.0)
    return class_of


@dataclass(frozen=True, eq=False)
class _Job:
    """One part of one round."""

    problem: RecodingProblem
    tuples: np.ndarray
    class_of: np.ndarray
    k: int
    moves: int
    heat: np.ndarray
    mean: float
    seed: int

    def run(self) -> np.ndarray:
        """The slots of the part's tuples after its share of the round's moves."""
        state = state_of(self.problem, self.tuples, self.class_of, self.k, np.uint64(self.seed))
        moves = max(1, self.moves * len(self.tuples) // len(self.problem.counts))
        anneal(state, self.k, moves, self.heat[0], self.heat[1], self.mean)
        return state.slot


def _leaf_ranks(problem: RecodingProblem) -> np.ndarray:
    """Where every tuple lies in every column, 0 … 1, siblings of the hierarchy side by side."""
    ranks = np.empty(problem.codes.shape)
    for j, up in enumerate(problem.up):
        place = np.empty(up.shape[1])
        place[np.lexsort(up)] = np.linspace(0.0, 1.0, up.shape[1])
        ranks[:, j] = place[problem.codes[:, j]]
    return ranks


def _cut(
    problem: RecodingProblem,
    class_of: np.ndarray,
    ranks: np.ndarray,
    random: np.random.Generator,
) -> list[np.ndarray]:
    """Parts of about equally many tuples, whole classes, neighbours by a random mix of columns."""
    weights = random.exponential(size=problem.columns) ** 2
    sizes = np.bincount(class_of)
    centre = np.bincount(class_of, ranks @ weights) / np.maximum(sizes, 1)
    centre += random.normal(scale=1e-3, size=len(centre))
    order = np.argsort(centre, kind="stable")
    few = 1 if len(class_of) <= TOO_SMALL_TO_CUT else PARTS_AT_LEAST
    parts = max(few, -(-len(class_of) // PART_AT_MOST))
    before = np.cumsum(sizes[order]) - sizes[order]
    part_of = np.empty(len(centre), dtype=np.int64)
    part_of[order] = before * parts // len(class_of)
    found = [np.flatnonzero(part_of[class_of] == part) for part in range(parts)]
    return [part for part in found if len(part)]


def _joined(class_of: np.ndarray, parts: list[np.ndarray], found: list[np.ndarray]) -> np.ndarray:
    result = np.empty_like(class_of)
    start = 0
    for part, slots in zip(parts, found, strict=True):
        result[part] = start + slots
        start += int(slots.max()) + 1
    return renumber(result)


def gains_of_leaving(problem: RecodingProblem, class_of: np.ndarray, k: int) -> np.ndarray:
    """What suppressing each tuple alone would gain per suppressed row (-inf: not possible)."""
    gains = np.full(len(class_of), -np.inf)
    inside = np.flatnonzero(class_of >= 0)
    by_class = inside[np.argsort(class_of[inside], kind="stable")]
    starts = np.flatnonzero(np.diff(class_of[by_class], prepend=-1))
    cuts = np.unique(starts // PART_AT_MOST, return_index=True)[1][1:]
    for part in np.split(by_class, starts[cuts]):
        state = state_of(problem, part, class_of[part], k, np.uint64(0))
        found = np.full(len(part), -np.inf)
        gain_of_leaving(state, k, found)
        gains[part] = found
    return gains
