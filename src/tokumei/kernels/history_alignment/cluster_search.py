"""Searches an alignment: first clusters from pair costs, then exchanges on the true loss.

Clusters know who is in them, how their rows are aligned and what that costs. Rounds: propose the
exchanges that look best, try them, accept those that lower the loss (and, while the heat lasts,
some that raise it a little), learn from all of them. What is done depends on the seed and on counts
alone, never on time or threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from typing import TypeVar

import numpy as np

from tokumei.kernels.history_alignment.cluster_views import Outlook, first_clusters
from tokumei.kernels.history_alignment.customer_pairs import PairCosts
from tokumei.kernels.history_alignment.customer_parts import Alignment, PurchaseArrays
from tokumei.kernels.history_alignment.row_aligner import RowAligner
from tokumei.kernels.threads import worker_pool

CELLS_PER_ROW = 4
"""Cells of a row that can be lost: day, price, quantity, item."""
Task = TypeVar("Task")
Outcome = TypeVar("Outcome")
ASSIGNMENT_STEPS = 20
"""How far an assignment looks for one row: within 0.3 % of the optimum at a fifth of the time."""
FINE_STEPS = 40
CHUNK_EXCHANGES = 4


class CustomerClusters:
    """Clusters of k customers and the dropped rest; every step works on all of them at once."""

    def __init__(
        self, purchases: PurchaseArrays, members: np.ndarray, dropped: np.ndarray, pool: Executor
    ) -> None:
        self.aligner = RowAligner(purchases)
        self.start = self.aligner.table.start
        self.lengths = purchases.lengths
        self.members, self.dropped = members, dropped
        self.slot = np.full(purchases.rows, -1, np.int32)
        self.pool = pool
        built = self._map_clusters(
            lambda g: self.aligner.align_cluster(members[g], self.slot, 2, ASSIGNMENT_STEPS)
        )
        self.slots = np.array([slots for slots, _ in built], dtype=np.int64)
        self.cost = np.array([cost for _, cost in built])

    @property
    def k(self) -> int:
        """Customers per cluster."""
        return int(self.members.shape[1])

    @property
    def loss(self) -> float:
        """The mean cell error over all rows, deleted ones included."""
        total = self.cost.sum() + CELLS_PER_ROW * self.lengths[self.dropped].sum()
        return float(total / (CELLS_PER_ROW * self.lengths.sum()))

    def try_exchanges(self, exchanges: np.ndarray) -> np.ndarray:
        """What both clusters of each exchange (customer, other, cluster, cluster) would cost."""
        chunks = np.array_split(exchanges, max(1, len(exchanges) // CHUNK_EXCHANGES))
        return np.concatenate(
            self._map_tasks(
                lambda chunk: self.aligner.exchange_costs(
                    self.members, chunk, self.slot, self.slots, ASSIGNMENT_STEPS
                ),
                chunks,
            )
        )

    def exchange(self, exchanges: np.ndarray) -> np.ndarray:
        """Carry out exchanges that share no cluster; the clusters that changed."""
        moves = np.concatenate([exchanges[:, [2, 0, 1]], exchanges[:, [3, 1, 0]]])
        for customer in exchanges[:, :2].ravel():
            self.slot[self.start[customer] : self.start[customer + 1]] = -1
        outside = moves[:, 0] == len(self.members)
        for _, leaver, newcomer in moves[outside]:
            self.dropped[self.dropped == leaver] = newcomer
        moves = moves[~outside]
        for (g, _, _), (slots, cost) in zip(
            moves, self._map_tasks(self._replace_member, moves), strict=True
        ):
            self.slots[g], self.cost[g] = slots, cost
        return np.asarray(moves[:, 0])

    def _replace_member(self, move: np.ndarray) -> tuple[int, float]:
        g, leaver, newcomer = (int(number) for number in move)
        members = self.members[g]
        slots = self.aligner.replace(
            members, leaver, newcomer, self.slot, int(self.slots[g]), ASSIGNMENT_STEPS
        )
        return slots, self.aligner.realign(members, self.slot, slots, 1, ASSIGNMENT_STEPS)

    def realign_all_clusters(self, seed: int, passes: int = 3) -> None:
        """Align the rows of every cluster with more care."""
        self.cost[:] = self._map_clusters(lambda g: self._polish_cluster(g, seed, passes))

    def _polish_cluster(self, g: int, seed: int, passes: int) -> float:
        members, slots = self.members[g], int(self.slots[g])
        if self.k > 2:  # two members have one alignment, and it is the best
            self.aligner.reshuffle(
                members, self.slot, slots, rounds=self.k, steps=FINE_STEPS, seed=seed + g
            )
        return self.aligner.realign(members, self.slot, slots, passes, FINE_STEPS)

    def alignment(self) -> Alignment:
        """The groups of rows."""
        first = np.concatenate([[0], np.cumsum(self.slots)])
        groups = np.empty((first[-1], self.k), np.int64)
        for (g, j), customer in np.ndenumerate(self.members):
            rows = np.arange(self.start[customer], self.start[customer + 1])
            used = rows[self.slot[rows] >= 0]
            groups[first[g] + self.slot[used], j] = used
        cluster = np.repeat(np.arange(len(self.members), dtype=np.int32), self.slots)
        return Alignment(groups, cluster, self.members.copy())

    def _map_clusters(self, work: Callable[[int], Outcome]) -> list[Outcome]:
        return self._map_tasks(work, range(len(self.members)))

    def _map_tasks(self, work: Callable[[Task], Outcome], tasks: Iterable[Task]) -> list[Outcome]:
        return list(self.pool.map(work, tasks))


MOVES_PER_CUSTOMER = 4000
"""Moves per customer when the first clusters are made."""
START_HEAT = 0.24
"""A cluster may get worse by about HEAT / k of its matched cost at the beginning."""
LEARNING_RATE = 0.5
"""The share of a wrong prediction that is corrected at once."""
MIN_GAIN = 1e-6


def search_clusters(
    purchases: PurchaseArrays,
    k: int,
    pairs: PairCosts,
    *,
    tries: int,
    seed: int,
    threads: int,
    progress: Callable[[float], None] = lambda share: None,
) -> CustomerClusters:
    """The best clusters found when `tries` exchanges per customer are tried."""
    with worker_pool(threads) as pool:
        rounds = ExchangeRounds(purchases, k, pairs, seed, pool)
        rounds.run(tries * purchases.customers, progress)
        rounds.clusters.realign_all_clusters(seed)
    progress(1.0)
    return rounds.clusters


class ExchangeRounds:
    """Exchanges between the clusters, round by round."""

    def __init__(
        self, purchases: PurchaseArrays, k: int, pairs: PairCosts, seed: int, pool: Executor
    ) -> None:
        self.lengths = purchases.lengths
        moves = MOVES_PER_CUSTOMER * purchases.customers
        # groups of k cost more than pairs: measured on retail data, corrected per cluster later
        gamma = 2.3 - 2.6 / k
        members, dropped = first_clusters(self.lengths, pairs, k, gamma, moves, seed)
        self.clusters = CustomerClusters(purchases, members, dropped, pool)
        self.pair_cost = pairs.cost.copy()
        self.rng = np.random.default_rng(seed)
        self.changed = np.zeros(len(members) + 1, np.int32)
        self.tried = np.zeros(pairs.cost.shape, np.int32)
        self.number = 0

    def run(self, total: int, progress: Callable[[float], None]) -> None:
        """Rounds until `total` exchanges are tried; the heat is gone before the end."""
        done = 0
        while done < total:
            cooling = max(0.0, 1 - done / (0.9 * total)) ** 2
            count = self.run_round(START_HEAT / self.clusters.k * cooling)
            if count == 0 and cooling == 0:
                break
            # a round without proposals cools down as well
            done += max(count, len(self.clusters.members) // 4, 1)
            progress(min(done / total, 1.0) * 0.9)

    def run_round(self, heat: float) -> int:
        """One round; the number of exchanges tried."""
        clusters = self.clusters
        self.number += 1
        view = Outlook.of(
            self.lengths, self.pair_cost, clusters.members, clusters.cost, clusters.slots
        )
        exchanges = self._propose_exchanges(view, heat)
        if not len(exchanges):
            return 0
        tried_costs = clusters.try_exchanges(exchanges)
        view.learn(exchanges, tried_costs, LEARNING_RATE)
        excess = self._cost_rise(exchanges, tried_costs) - self._tolerance(view, exchanges, heat)
        refused = exchanges[excess >= -MIN_GAIN]
        self.tried[refused[:, 0], refused[:, 1]] = self.number
        order = np.argsort(excess, kind="stable")
        accepted = _limit_cluster_uses(
            exchanges[order[excess[order] < -MIN_GAIN]], len(clusters.members), 1
        )
        if len(accepted):
            self.changed[clusters.exchange(accepted)] = self.number
        return len(exchanges)

    def _propose_exchanges(self, view: Outlook, heat: float) -> np.ndarray:
        """The exchanges that look best, the largest clusters first."""
        clusters = self.clusters
        score, other = view.promising(clusters.cost, self.changed, self.tried)
        score += heat * self.rng.exponential(size=score.shape)
        order = np.argsort(score, axis=None, kind="stable")
        order = order[: np.searchsorted(score.ravel()[order], max(0.08, 0.5 / clusters.k))]
        a, b = order // score.shape[1], other.ravel()[order]
        exchanges = np.stack([a, b, view.line[a], view.line[b]], axis=1)
        exchanges = _limit_cluster_uses(exchanges, len(clusters.members), max(1, clusters.k // 5))
        slots = np.append(clusters.slots, 0)
        return exchanges[np.argsort(-slots[exchanges[:, 2:]].sum(axis=1), kind="stable")]

    def _cost_rise(self, exchanges: np.ndarray, tried_costs: np.ndarray) -> np.ndarray:
        """How much the true cost would rise by each exchange."""
        a, b, g, h = exchanges.T
        cost = np.append(self.clusters.cost, 0.0)
        longer = CELLS_PER_ROW * (self.lengths[b] - self.lengths[a])
        outside = len(self.clusters.members)
        dropped = np.where(g == outside, longer, 0) - np.where(h == outside, longer, 0)
        return np.asarray(tried_costs.sum(axis=1) - cost[g] - cost[h] + dropped)

    def _tolerance(self, view: Outlook, exchanges: np.ndarray, heat: float) -> np.ndarray:
        """How much each exchange may raise the cost: random, as in simulated annealing."""
        matched = np.append(view.matched, 0.0)[exchanges[:, 2:]].sum(axis=1)
        return np.asarray(heat * matched * self.rng.exponential(size=len(exchanges)))


def _limit_cluster_uses(exchanges: np.ndarray, clusters: int, uses: int) -> np.ndarray:
    """The first exchanges in which no cluster occurs more often than that.

    With one use no customer occurs twice either, so the exchanges can be made together.
    """
    used = [0] * clusters
    taken: set[int] = set()
    chosen = []
    for n, (a, b, g, h) in enumerate(exchanges.tolist()):
        if uses == 1 and (a in taken or b in taken):
            continue
        if any(line < clusters and used[line] >= uses for line in (g, h)):
            continue
        for line in (g, h):
            if line < clusters:
                used[line] += 1
        taken.update((a, b))
        chosen.append(n)
    return exchanges[chosen]
