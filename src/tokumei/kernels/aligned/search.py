"""From pair costs to an alignment: first clusters, then exchanges on the true loss.

    clusters = search(purchases, 6, pairs, tries=5, seed=1, threads=2)
    clusters.alignment()

Rounds: propose the exchanges that look best, try them, accept those that lower the loss (and,
while the heat lasts, some that raise it a little), learn from all of them. What is done depends
on the seed and on counts alone, never on time or threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from tokumei.kernels.aligned.clusters import COLUMNS, Clusters
from tokumei.kernels.aligned.groups import Outlook, first_clusters
from tokumei.kernels.aligned.pairs import PairCosts
from tokumei.kernels.aligned.parts import Purchases
from tokumei.kernels.workers import workers

MOVES = 4000
"""Moves per customer when the first clusters are made."""
HEAT = 0.24
"""A cluster may get worse by about HEAT / k of its matched cost at the beginning."""
LEARNED = 0.5
"""The share of a wrong prediction that is corrected at once."""
LEAST_GAIN = 1e-6


def search(
    purchases: Purchases,
    k: int,
    pairs: PairCosts,
    *,
    tries: int,
    seed: int,
    threads: int,
    progress: Callable[[float], None] = lambda share: None,
) -> Clusters:
    """The best clusters found when `tries` exchanges per customer are tried."""
    with workers(threads) as pool:
        rounds = Rounds(purchases, k, pairs, seed, pool)
        rounds.run(tries * purchases.customers, progress)
        rounds.clusters.polish(seed)
    progress(1.0)
    return rounds.clusters


class Rounds:
    """Exchanges between the clusters, round by round."""

    def __init__(
        self, purchases: Purchases, k: int, pairs: PairCosts, seed: int, pool: Executor
    ) -> None:
        self.lengths = purchases.lengths
        moves = MOVES * purchases.customers
        # groups of k cost more than pairs: measured on retail data, corrected per cluster later
        gamma = 2.3 - 2.6 / k
        members, dropped = first_clusters(self.lengths, pairs, k, gamma, moves, seed)
        self.clusters = Clusters(purchases, members, dropped, pool)
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
            count = self.round(HEAT / self.clusters.k * cooling)
            if count == 0 and cooling == 0:
                break
            # a round without proposals cools down as well
            done += max(count, len(self.clusters.members) // 4, 1)
            progress(min(done / total, 1.0) * 0.9)

    def round(self, heat: float) -> int:
        """One round; the number of exchanges tried."""
        clusters = self.clusters
        self.number += 1
        view = Outlook.of(
            self.lengths, self.pair_cost, clusters.members, clusters.cost, clusters.slots
        )
        exchanges = self._propose(view, heat)
        if not len(exchanges):
            return 0
        seen = clusters.try_exchanges(exchanges)
        view.learn(exchanges, seen, LEARNED)
        excess = self._rise(exchanges, seen) - self._tolerance(view, exchanges, heat)
        refused = exchanges[excess >= -LEAST_GAIN]
        self.tried[refused[:, 0], refused[:, 1]] = self.number
        order = np.argsort(excess, kind="stable")
        accepted = _limited(exchanges[order[excess[order] < -LEAST_GAIN]], len(clusters.members), 1)
        if len(accepted):
            self.changed[clusters.exchange(accepted)] = self.number
        return len(exchanges)

    def _propose(self, view: Outlook, heat: float) -> np.ndarray:
        """The exchanges that look best, the largest clusters first."""
        clusters = self.clusters
        score, other = view.promising(clusters.cost, self.changed, self.tried)
        score += heat * self.rng.exponential(size=score.shape)
        order = np.argsort(score, axis=None, kind="stable")
        order = order[: np.searchsorted(score.ravel()[order], max(0.08, 0.5 / clusters.k))]
        a, b = order // score.shape[1], other.ravel()[order]
        exchanges = np.stack([a, b, view.line[a], view.line[b]], axis=1)
        exchanges = _limited(exchanges, len(clusters.members), max(1, clusters.k // 5))
        slots = np.append(clusters.slots, 0)
        return exchanges[np.argsort(-slots[exchanges[:, 2:]].sum(axis=1), kind="stable")]

    def _rise(self, exchanges: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """How much the true cost would rise by each exchange."""
        a, b, g, h = exchanges.T
        cost = np.append(self.clusters.cost, 0.0)
        longer = COLUMNS * (self.lengths[b] - self.lengths[a])
        outside = len(self.clusters.members)
        dropped = np.where(g == outside, longer, 0) - np.where(h == outside, longer, 0)
        return np.asarray(seen.sum(axis=1) - cost[g] - cost[h] + dropped)

    def _tolerance(self, view: Outlook, exchanges: np.ndarray, heat: float) -> np.ndarray:
        """How much each exchange may raise the cost: random, as in simulated annealing."""
        matched = np.append(view.matched, 0.0)[exchanges[:, 2:]].sum(axis=1)
        return np.asarray(heat * matched * self.rng.exponential(size=len(exchanges)))


def _limited(exchanges: np.ndarray, clusters: int, uses: int) -> np.ndarray:
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
