"""The first state of annealing: the arrays of some tuples and the classes they are in.

    state = state_of(problem, tuples, class_of[tuples], k, seed)

Leaves and nodes are numbered anew among these tuples, so memory follows them and not the domain.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tokumei.kernels.local import LOG_MORE, LOG_PER_TUPLE, ROOMS, State, enter
from tokumei.tables.anonymizers.recoding.local_boxes import renumber
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem


def state_of(
    problem: RecodingProblem, tuples: np.ndarray, class_of: np.ndarray, k: int, seed: np.uint64
) -> State:
    """A state of these tuples in these classes (any numbers, no -1), each in its smallest box."""
    n, columns = len(tuples), problem.columns
    counts = problem.counts[tuples]
    tree = _Tree.of(problem, tuples)
    classes = renumber(class_of)
    slots = max(int(classes.max()) + 1, min(int(counts.sum()) // k, n)) + 8
    words = (slots + 63) // 64
    log = LOG_PER_TUPLE * n + LOG_MORE
    state = State(
        ancestors=tree.ancestors,
        counts=counts,
        node_cost=np.concatenate(tree.costs),
        node_tuples=np.zeros((tree.nodes, (n + 63) // 64), dtype=np.uint64),
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
        tuple_bits=np.zeros((n + 63) // 64, dtype=np.uint64),
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
        leaves, leaf = np.unique(codes, return_inverse=True)
        lowest = self.nodes + np.unique(up[0, leaves], return_inverse=True)[1]
        for level in range(len(up)):
            _, where, node = np.unique(up[level, leaves], return_index=True, return_inverse=True)
            self.ancestors[:, j, level] = self.nodes + node[leaf]
            self.costs.append(cost[level, leaves[where]])
            self.widths.append(np.bincount(node))
            self.under.append(lowest[np.argsort(node, kind="stable")])
            self.nodes += len(where)
        self.ancestors[:, j, len(up) :] = self.ancestors[:, j, [len(up) - 1]]
