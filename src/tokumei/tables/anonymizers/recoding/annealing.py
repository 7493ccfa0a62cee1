"""Anneals a local recoding in rounds, each of which splits the classes into parts.

    class_of = anneal_rounds(problem, class_of, k, schedule, loss=loss, seed=0, threads=2)

Neighbouring classes come into one part, neighbouring by another mix of columns in every round. The
parts of a round do not depend on each other, so the result does not depend on the threads. In a
state, leaves and nodes are numbered anew among its tuples, so memory follows them, not the domain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tokumei.kernels.local_recoding import (
    LOG_PER_TUPLE,
    LOG_RESERVE,
    ROOMS,
    State,
    anneal,
    fill_state,
    gain_of_leaving,
)
from tokumei.kernels.threads import worker_pool
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem, renumber_classes
from tokumei.tables.data.column_encoding import densify_keys

MAX_PART_SIZE = 8192
MIN_PARTS = 2
MIN_SIZE_TO_CUT = 256


@dataclass(frozen=True, kw_only=True)
class AnnealingSchedule:
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


def anneal_rounds(
    problem: RecodingProblem, class_of: np.ndarray, schedule: AnnealingSchedule, loss: float
) -> np.ndarray:
    """The classes, which lose so much, after annealing; every tuple must be in one of ≥ k rows."""
    mean_loss = loss / problem.rows
    if mean_loss == 0.0:
        return class_of
    ranks = _rank_leaves(problem)
    cooling = (schedule.cold / schedule.hot) ** np.linspace(0.0, 1.0, schedule.rounds + 1)
    temperatures = mean_loss * schedule.hot * cooling
    with worker_pool(schedule.threads) as pool:
        for round_number in range(schedule.rounds):
            random, part_heat = (
                np.random.default_rng([schedule.seed, round_number]),
                (*temperatures[round_number : round_number + 2], mean_loss),
            )
            parts = _cut_into_parts(problem, class_of, ranks, random)
            seeds = random.integers(2**63, size=len(parts))
            jobs = [
                pool.submit(_anneal_part, problem, part, class_of[part], schedule, part_heat, seed)
                for part, seed in zip(parts, seeds, strict=True)
            ]
            class_of = _join_parts(class_of, parts, [job.result() for job in jobs])
            if schedule.progress is not None:
                schedule.progress(1.0)
    return class_of


def _anneal_part(
    problem: RecodingProblem,
    tuples: np.ndarray,
    class_of: np.ndarray,
    schedule: AnnealingSchedule,
    heat: tuple[float, float, float],
    seed: int,
) -> np.ndarray:
    """The slots of a part's tuples after its share of the round's moves."""
    state = build_state(problem, tuples, class_of, schedule.k, np.uint64(seed))
    moves = max(1, schedule.moves * len(tuples) // len(problem.counts))
    anneal(state, schedule.k, moves, *heat)
    return state.slot


def _rank_leaves(problem: RecodingProblem) -> np.ndarray:
    """Where every tuple lies in every column, 0 … 1, siblings of the hierarchy side by side."""
    ranks = np.empty(problem.codes.shape)
    for j, up in enumerate(problem.up):
        leaf_position = np.empty(up.shape[1])
        leaf_position[np.lexsort(up)] = np.linspace(0.0, 1.0, up.shape[1])
        ranks[:, j] = leaf_position[problem.codes[:, j]]
    return ranks


def _cut_into_parts(
    problem: RecodingProblem, class_of: np.ndarray, ranks: np.ndarray, random: np.random.Generator
) -> list[np.ndarray]:
    """Parts of about equally many tuples, whole classes, neighbours by a random mix of columns."""
    weights = random.exponential(size=problem.columns) ** 2
    sizes = np.bincount(class_of)
    class_centres = np.bincount(class_of, ranks @ weights) / np.maximum(sizes, 1)
    class_centres += random.normal(scale=1e-3, size=len(class_centres))
    order = np.argsort(class_centres, kind="stable")
    min_parts = 1 if len(class_of) <= MIN_SIZE_TO_CUT else MIN_PARTS
    parts = max(min_parts, -(-len(class_of) // MAX_PART_SIZE))
    tuples_before = np.cumsum(sizes[order]) - sizes[order]
    part_of = np.empty(len(class_centres), dtype=np.int64)
    part_of[order] = tuples_before * parts // len(class_of)
    all_parts = [np.flatnonzero(part_of[class_of] == part) for part in range(parts)]
    return [part for part in all_parts if len(part)]


def _join_parts(
    class_of: np.ndarray, parts: list[np.ndarray], part_slots: list[np.ndarray]
) -> np.ndarray:
    result = np.empty_like(class_of)
    start = 0
    for part, slots in zip(parts, part_slots, strict=True):
        result[part] = start + slots
        start += int(slots.max()) + 1
    return renumber_classes(result)


def tuple_suppression_gains(problem: RecodingProblem, class_of: np.ndarray, k: int) -> np.ndarray:
    """What suppressing each tuple alone would gain per suppressed row (-inf: not possible)."""
    gains = np.full(len(class_of), -np.inf)
    released_tuples = np.flatnonzero(class_of >= 0)
    by_class = released_tuples[np.argsort(class_of[released_tuples], kind="stable")]
    starts = np.flatnonzero(np.diff(class_of[by_class], prepend=-1))
    cuts = np.unique(starts // MAX_PART_SIZE, return_index=True)[1][1:]
    for part in np.split(by_class, starts[cuts]):
        state = build_state(problem, part, class_of[part], k, np.uint64(0))
        part_gains = np.full(len(part), -np.inf)
        gain_of_leaving(state, k, part_gains)
        gains[part] = part_gains
    return gains


def build_state(
    problem: RecodingProblem, tuples: np.ndarray, class_of: np.ndarray, k: int, seed: np.uint64
) -> State:
    """A state of these tuples in these classes (any numbers, no -1), each in its smallest box."""
    n, columns = len(tuples), problem.columns
    counts = problem.counts[tuples]
    hierarchy_nodes = _HierarchyNodes.of(problem, tuples)
    classes = renumber_classes(class_of)
    slots = max(int(classes.max()) + 1, min(int(counts.sum()) // k, n)) + 8
    slot_words, tuple_words = (slots + 63) // 64, (n + 63) // 64
    word_spans = (tuple_words + 63) // 64
    log_size = LOG_PER_TUPLE * n + LOG_RESERVE
    state = State(
        ancestors=hierarchy_nodes.ancestors,
        counts=counts,
        node_cost=np.concatenate(hierarchy_nodes.costs),
        node_tuples=np.zeros((hierarchy_nodes.nodes, tuple_words), dtype=np.uint64),
        node_words=np.zeros((hierarchy_nodes.nodes, word_spans), dtype=np.uint64),
        leaf_slots=np.zeros((hierarchy_nodes.nodes, slot_words), dtype=np.uint64),
        under_at=np.concatenate([[0], np.cumsum(np.concatenate(hierarchy_nodes.widths))]),
        under=np.concatenate(hierarchy_nodes.under),
        height=problem.heights,
        slot=np.full(n, -1, dtype=np.int64),
        after=np.full(n, -1, dtype=np.int64),
        before=np.full(n, -1, dtype=np.int64),
        first=np.full(slots, -1, dtype=np.int64),
        rows=np.zeros(slots, dtype=np.int64),
        cost=np.zeros(slots),
        level=np.zeros((slots, columns), dtype=np.int64),
        node=np.full((slots, columns), -1, dtype=np.int64),
        open_slots=np.zeros(slot_words, dtype=np.uint64),
        free=np.arange(slots - 1, -1, -1, dtype=np.int64),
        sizes=np.array([slots, 0, 0], dtype=np.int64),
        touched=np.zeros(slots, dtype=np.int64),
        log=np.zeros((log_size, 3), dtype=np.int64),
        log_level=np.zeros((log_size, columns), dtype=np.int64),
        change=np.zeros(1),
        random=np.array([seed], dtype=np.uint64),
        tuple_bits=np.zeros(tuple_words, dtype=np.uint64),
        word_bits=np.zeros(word_spans, dtype=np.uint64),
        slot_bits=np.zeros(slot_words, dtype=np.uint64),
        found=np.zeros(n, dtype=np.int64),
        gain=np.zeros(n),
        room=np.zeros((ROOMS, columns), dtype=np.int64),
    )
    fill_state(state, classes, np.full(int(classes.max()) + 1, -1))
    return state


@dataclass
class _HierarchyNodes:
    """The parts of all hierarchies above some tuples, numbered through all columns and levels."""

    ancestors: np.ndarray
    nodes: int = 0
    costs: list[np.ndarray] = field(default_factory=list)
    widths: list[np.ndarray] = field(default_factory=list)
    under: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def of(cls, problem: RecodingProblem, tuples: np.ndarray) -> _HierarchyNodes:
        n, columns = len(tuples), problem.columns
        levels = int(problem.heights.max()) + 1
        nodes = cls(np.zeros((n, columns, levels), np.int64))
        for j in range(columns):
            nodes._add_column(j, problem.up[j], problem.cost[j] / columns, problem.codes[tuples, j])
        return nodes

    def _add_column(self, j: int, up: np.ndarray, cost: np.ndarray, codes: np.ndarray) -> None:
        """Number the leaves that occur in column j, and the nodes above them, level by level."""
        leaves, leaf_index = densify_keys(codes, up.shape[1])
        lowest = self.nodes + np.unique(up[0, leaves], return_inverse=True)[1]
        for level in range(len(up)):
            _, first_leaf, leaf_node = np.unique(
                up[level, leaves], return_index=True, return_inverse=True
            )
            self.ancestors[:, j, level] = self.nodes + leaf_node[leaf_index]
            self.costs.append(cost[level, leaves[first_leaf]])
            self.widths.append(np.bincount(leaf_node))
            self.under.append(lowest[np.argsort(leaf_node, kind="stable")])
            self.nodes += len(first_leaf)
        self.ancestors[:, j, len(up) :] = self.ancestors[:, j, [len(up) - 1]]
