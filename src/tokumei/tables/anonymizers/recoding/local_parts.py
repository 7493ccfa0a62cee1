"""Annealing a local recoding in rounds: each round cuts the classes into parts, one state each.

    class_of = improve(problem, class_of, k, schedule, loss=loss, seed=0, threads=2)

Neighbouring classes come into one part, neighbouring by another mix of columns in every round. The
parts of a round do not depend on each other, so the result does not depend on the threads. In a
state, leaves and nodes are numbered anew among its tuples, so memory follows them, not the domain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tokumei.kernels.local import (
    LOG_MORE,
    LOG_PER_TUPLE,
    ROOMS,
    State,
    anneal,
    enter,
    gain_of_leaving,
)
from tokumei.kernels.workers import workers
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem, renumber
from tokumei.tables.data.codes import dense

PART_AT_MOST = 8192
PARTS_AT_LEAST = 2
TOO_SMALL_TO_CUT = 256


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long and how hot: temperatures are multiples of the mean NCP of a row at the start.

    `progress` is called with 1 after each round.
    """

    k: int
    rounds: int
    moves: int
    hot: float
    cold: float
    seed: int = 0
    threads: int = 1
    progress: Callable[[float], None] | None = None


def improve(
    problem: RecodingProblem, class_of: np.ndarray, schedule: Schedule, loss: float
) -> np.ndarray:
    """The classes, which lose so much, after annealing; every tuple must be in one of ≥ k rows."""
    mean = loss / problem.rows
    if mean == 0.0:
        return class_of
    ranks = _leaf_ranks(problem)
    cooling = (schedule.cold / schedule.hot) ** np.linspace(0.0, 1.0, schedule.rounds + 1)
    heat = mean * schedule.hot * cooling
    with workers(schedule.threads) as pool:
        for n in range(schedule.rounds):
            random, hot = np.random.default_rng([schedule.seed, n]), (*heat[n : n + 2], mean)
            parts = _cut(problem, class_of, ranks, random)
            seeds = random.integers(2**63, size=len(parts))
            jobs = [
                pool.submit(_annealed, problem, part, class_of[part], schedule, hot, seed)
                for part, seed in zip(parts, seeds, strict=True)
            ]
            class_of = _joined(class_of, parts, [job.result() for job in jobs])
            if schedule.progress is not None:
                schedule.progress(1.0)
    return class_of


def _annealed(
    problem: RecodingProblem,
    tuples: np.ndarray,
    class_of: np.ndarray,
    schedule: Schedule,
    heat: tuple[float, float, float],
    seed: int,
) -> np.ndarray:
    """The slots of a part's tuples after its share of the round's moves."""
    state = state_of(problem, tuples, class_of, schedule.k, np.uint64(seed))
    moves = max(1, schedule.moves * len(tuples) // len(problem.counts))
    anneal(state, schedule.k, moves, *heat)
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
    problem: RecodingProblem, class_of: np.ndarray, ranks: np.ndarray, random: np.random.Generator
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


def state_of(
    problem: RecodingProblem, tuples: np.ndarray, class_of: np.ndarray, k: int, seed: np.uint64
) -> State:
    """A state of these tuples in these classes (any numbers, no -1), each in its smallest box."""
    n, columns = len(tuples), problem.columns
    counts = problem.counts[tuples]
    tree = _Tree.of(problem, tuples)
    classes = renumber(class_of)
    slots = max(int(classes.max()) + 1, min(int(counts.sum()) // k, n)) + 8
    words, tuple_words = (slots + 63) // 64, (n + 63) // 64
    spans = (tuple_words + 63) // 64
    log = LOG_PER_TUPLE * n + LOG_MORE
    state = State(
        ancestors=tree.ancestors,
        counts=counts,
        node_cost=np.concatenate(tree.costs),
        node_tuples=np.zeros((tree.nodes, tuple_words), dtype=np.uint64),
        node_words=np.zeros((tree.nodes, spans), dtype=np.uint64),
        leaf_slots=np.zeros((tree.nodes, words), dtype=np.uint64),
        under_at=np.concatenate([[0], np.cumsum(np.concatenate(tree.widths))]),
        under=np.concatenate(tree.under),
        height=problem.heights,
        slot=np.full(n, -1, dtype=np.int64),
        after=np.full(n, -1, dtype=np.int64),
        before=np.full(n, -1, dtype=np.int64),
        first=np.full(slots, -1, dtype=np.int64),
        rows=np.zeros(slots, dtype=np.int64),
        cost=np.zeros(slots),
        level=np.zeros((slots, columns), dtype=np.int64),
        node=np.full((slots, columns), -1, dtype=np.int64),
        open_slots=np.zeros(words, dtype=np.uint64),
        free=np.arange(slots - 1, -1, -1, dtype=np.int64),
        sizes=np.array([slots, 0, 0], dtype=np.int64),
        touched=np.zeros(slots, dtype=np.int64),
        log=np.zeros((log, 3), dtype=np.int64),
        log_level=np.zeros((log, columns), dtype=np.int64),
        change=np.zeros(1),
        random=np.array([seed], dtype=np.uint64),
        tuple_bits=np.zeros(tuple_words, dtype=np.uint64),
        word_bits=np.zeros(spans, dtype=np.uint64),
        slot_bits=np.zeros(words, dtype=np.uint64),
        found=np.zeros(n, dtype=np.int64),
        gain=np.zeros(n),
        room=np.zeros((ROOMS, columns), dtype=np.int64),
    )
    enter(state, classes, np.full(int(classes.max()) + 1, -1))
    return state


@dataclass
class _Tree:
    """The parts of all hierarchies above some tuples, numbered through all columns and levels."""

    ancestors: np.ndarray
    nodes: int = 0
    costs: list[np.ndarray] = field(default_factory=list)
    widths: list[np.ndarray] = field(default_factory=list)
    under: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def of(cls, problem: RecodingProblem, tuples: np.ndarray) -> _Tree:
        n, columns = len(tuples), problem.columns
        levels = int(problem.heights.max()) + 1
        tree = cls(np.zeros((n, columns, levels), np.int64))
        for j in range(columns):
            tree._add(j, problem.up[j], problem.cost[j] / columns, problem.codes[tuples, j])
        return tree

    def _add(self, j: int, up: np.ndarray, cost: np.ndarray, codes: np.ndarray) -> None:
        """Number the leaves that occur in column j, and the nodes above them, level by level."""
        leaves, leaf = dense(codes, up.shape[1])
        lowest = self.nodes + np.unique(up[0, leaves], return_inverse=True)[1]
        for level in range(len(up)):
            _, where, node = np.unique(up[level, leaves], return_index=True, return_inverse=True)
            self.ancestors[:, j, level] = self.nodes + node[leaf]
            self.costs.append(cost[level, leaves[where]])
            self.widths.append(np.bincount(node))
            self.under.append(lowest[np.argsort(node, kind="stable")])
            self.nodes += len(where)
        self.ancestors[:, j, len(up) :] = self.ancestors[:, j, [len(up) - 1]]
