"""Interface to the compiled row alignment, cluster by cluster.

    aligner = RowAligner(purchases)
    slots, cost = aligner.align_cluster(members, slot, passes=2, steps=20)

`slot[row]` is the group of the row inside its cluster, or -1 if the row is deleted.
"""

from __future__ import annotations

from threading import local
from typing import Annotated, NamedTuple

import numpy as np

from tokumei.kernels.history_alignment.customer_parts import PurchaseArrays
from tokumei.kernels.loading import Kernel, load
from tokumei.kernels.validation import require_array, require_arrays, require_that

SAMPLE_ROWS = 24
"""Rows of a history that an estimate looks at."""
TWISTER_WORDS = 625
"""Words of a random state."""


class PurchaseTable(NamedTuple):
    """What the compiled functions need of the purchases."""

    start: Annotated[np.ndarray, "int64[customers+1] 0..rows+1"]
    values: Annotated[np.ndarray, "float64[3, rows]"]
    items: Annotated[np.ndarray, "int32[rows] 0.."]
    weights: Annotated[np.ndarray, "float64[3]"]


class RowAligner:
    """Several threads may use it at once; each has a workspace as large as it has needed."""

    def __init__(self, purchases: PurchaseArrays) -> None:
        start = purchases.start.astype(np.int64)
        self.table = PurchaseTable(start, purchases.values, purchases.items, purchases.weights)
        self.sizes = require_arrays(self.table)
        self.lengths = np.diff(start)
        good = start[0] == 0 and start[-1] == self.sizes["rows"] and (self.lengths > 0).all()
        require_that(good, "start: every customer needs a row")
        self._threads = local()

    def align_cluster(
        self, members: np.ndarray, slot: np.ndarray, passes: int, steps: int
    ) -> tuple[int, float]:
        """Align a cluster none of whose rows is in a slot yet: (slots, cost)."""
        self._require_cluster(members, slot)
        slots_and_cost: tuple[int, float] = _load_kernel().align_cluster(
            self._workspace_for(members), members, slot, passes, steps
        )
        return slots_and_cost

    def realign(
        self, members: np.ndarray, slot: np.ndarray, slots: int, passes: int, steps: int
    ) -> float:
        """Align each member anew against the rest while that helps; the cluster's cost."""
        self._require_cluster(members, slot)
        room = self._workspace_for(members)
        return float(_load_kernel().realign(room, members, slot, slots, passes, steps))

    def reshuffle(
        self,
        members: np.ndarray,
        slot: np.ndarray,
        slots: int,
        *,
        rounds: int,
        steps: int,
        seed: int,
    ) -> None:
        """Split the members in two at random and pair the slots of both anew, several times."""
        self._require_cluster(members, slot)
        require_that(len(members) > 1, "members: nothing to split")
        room, twister = self._workspace_for(members), np.empty(TWISTER_WORDS, np.uint32)
        seed &= 0xFFFFFFFF
        _load_kernel().reshuffle(room, members, slot, slots, rounds, steps, seed, twister)

    def exchange_costs(
        self,
        members: np.ndarray,
        exchanges: np.ndarray,
        slot: np.ndarray,
        slots: np.ndarray,
        steps: int,
    ) -> np.ndarray:
        """What both clusters would cost after each exchange (customer, other, cluster, cluster).

        A cluster number past the last means the dropped customers; these cost nothing here.
        """
        sizes = dict(self.sizes)
        exchanges = np.ascontiguousarray(exchanges)
        require_array("members", members, "int64[g, k] 0..customers", sizes)
        require_array("slots", slots, "int64[g] 0..", sizes)
        require_array("slot", slot, "int32[rows]", sizes)
        require_array("exchanges", exchanges, "int64[n, 4] 0..", sizes)
        require_that((exchanges[:, :2] < sizes["customers"]).all(), "exchanges: no such customer")
        lines = exchanges[:, 2:]
        require_that((lines <= sizes["g"]).all(), "exchanges: no such cluster")
        inside = lines < sizes["g"]
        is_member = members[lines[inside]] == exchanges[:, :2][inside][:, None]
        require_that(is_member.any(axis=1).all(), "exchanges: a customer is not in its cluster")
        customers = np.concatenate([exchanges[:, :2].ravel(), members[lines[inside]].ravel()])
        room, costs = (
            self._workspace_for(customers, members.shape[1]),
            np.zeros((len(exchanges), 2)),
        )
        tried = self._threads.tried
        _load_kernel().exchange_costs(room, members, exchanges, slot, slots, steps, tried, costs)
        return costs

    def replace(
        self,
        members: np.ndarray,
        leaver: int,
        newcomer: int,
        slot: np.ndarray,
        slots: int,
        steps: int,
    ) -> int:
        """Let the newcomer take the leaver's place; the new number of slots.

        The rows of both must be in no slot: another cluster may be taking the leaver in meanwhile.
        """
        self._require_cluster(members, slot)
        require_that(leaver in members, "leaver: not in the cluster")
        require_that(0 <= newcomer < self.sizes["customers"], "newcomer: no such customer")
        first, end = self.table.start[newcomer : newcomer + 2]
        require_that((slot[first:end] < 0).all(), "newcomer: still in a cluster")
        room = self._workspace_for(np.append(members, newcomer), len(members))
        return int(_load_kernel().replace(room, members, leaver, newcomer, slot, slots, steps))

    def estimate_pair_costs(self, order: np.ndarray, i: int, cost: np.ndarray) -> None:
        """Fill the estimates of the i-th customer of the order with all behind, who are longer."""
        sizes = dict(self.sizes)
        require_array("order", order, "int64[n] 0..customers", sizes)
        require_array("cost", cost, "float32[customers, customers]", sizes)
        require_that(0 <= i < sizes["n"], "i: no such customer")
        longest = int(self.lengths.max())
        _load_kernel().estimate_pair_costs(
            self._thread_workspace(longest, SAMPLE_ROWS * longest, 1), order, i, cost
        )

    def exact_pair_costs(self, pairs: np.ndarray, steps: int) -> np.ndarray:
        """The mean cell errors of the rows when they are matched as well as possible."""
        pairs = np.ascontiguousarray(pairs)
        require_array("pairs", pairs, "int64[n, 2] 0..customers", dict(self.sizes))
        lengths, costs = self.lengths[pairs], np.empty(len(pairs))
        room = self._thread_workspace(int(lengths.max()), int(lengths.prod(axis=1).max()), 1)
        _load_kernel().exact_pair_costs(room, pairs, steps, costs)
        return costs

    def _require_cluster(self, members: np.ndarray, slot: np.ndarray) -> None:
        sizes = dict(self.sizes)
        require_array("members", members, "int64[k] 0..customers", sizes)
        require_array("slot", slot, "int32[rows]", sizes)
        require_that(sizes["k"] > 0, "members: there is none")

    def _workspace_for(self, customers: np.ndarray, members: int = 0) -> object:
        """Room to pair the slots of any of these customers."""
        lengths = np.sort(self.lengths[customers])
        longest = int(lengths[-1])
        return self._thread_workspace(
            longest, longest * int(lengths[-2:].min()), members or len(customers)
        )

    def _thread_workspace(self, slots: int, cost: int, members: int) -> object:
        """The thread's room; a larger one if so many slots, costs or members do not fit in it."""
        needed = np.array([slots, cost, members])
        have = getattr(self._threads, "have", np.zeros(3, np.int64))
        if (needed > have).any():
            self._threads.have = np.maximum(have, needed)
            self._threads.room = self._allocate_workspace(
                *(int(size) for size in self._threads.have)
            )
            self._threads.tried = np.empty(self.sizes["rows"], np.int32)
        return self._threads.room

    def _allocate_workspace(self, slots: int, cost: int, members: int) -> object:
        kernel = _load_kernel()
        kinds = int(self.table.items.max()) + 1
        left, right = (
            kernel.SlotSums(
                np.empty((3, 4, slots)),
                np.empty((slots, members), np.int32),
                np.empty(slots, np.int32),
            )
            for _ in range(2)
        )
        return kernel.AlignmentWorkspace(
            *self.table,
            np.full(kinds, -1),
            left,
            right,
            np.empty(cost),
            np.empty(2 * members + 2),
            *np.empty((5, slots)),
            np.empty(slots * members, np.int32),
            *np.empty((7, slots), np.int32),
            np.empty(slots, np.int64),
            *np.empty((2, members), np.int64),
        )


def _load_kernel() -> Kernel:
    return load("history_alignment")
