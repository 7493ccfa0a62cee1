"""Computes the cost of aligning every two customers, once for every k.

    pairs = compute_pair_costs(purchases, partners=30, threads=2)
    pairs.cost[a, b]        # mean cell error of their matched rows, 0 ... 1

An estimate for all pairs (some rows of the shorter history, each with the nearest row of the
longer one), an assignment of all rows for the most promising partners of each.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from tokumei.kernels.history_alignment.customer_parts import PurchaseArrays
from tokumei.kernels.history_alignment.row_aligner import RowAligner
from tokumei.kernels.threads import worker_pool

ASSIGNMENT_STEPS = 40
CHUNK_PAIRS = 50


@dataclass(frozen=True, eq=False)
class PairCosts:
    """`cost[a, b]`: mean cell error of the matched rows; `partners[a]`: the most promising."""

    cost: np.ndarray
    partners: np.ndarray


def compute_pair_costs(purchases: PurchaseArrays, *, partners: int, threads: int) -> PairCosts:
    """Estimates for all pairs, assignments for the best `partners` of each customer."""
    aligner = RowAligner(purchases)
    order = np.argsort(purchases.lengths, kind="stable")
    cost = np.zeros((len(order), len(order)), np.float32)
    with worker_pool(threads) as pool:
        for _ in pool.map(lambda i: aligner.estimate_pair_costs(order, i, cost), range(len(order))):
            pass
        best = _promising_partners(cost, purchases.lengths, partners)
        _refine_costs(aligner, cost, best, purchases.lengths, pool)
    return PairCosts(cost, best)


def _promising_partners(cost: np.ndarray, lengths: np.ndarray, count: int) -> np.ndarray:
    """For each customer those with whom the fewest cells are lost, deleted rows included."""
    count = min(count, len(cost) - 1)
    best = np.empty((len(cost), count), np.int32)
    for a in range(len(cost)):
        shorter = np.minimum(lengths[a], lengths)
        total = 1 - 2 * shorter * (1 - cost[a].astype(np.float64)) / (lengths[a] + lengths)
        total[a] = np.inf
        best[a] = np.argsort(total, kind="stable")[:count]
    return best


def _refine_costs(
    aligner: RowAligner, cost: np.ndarray, best: np.ndarray, lengths: np.ndarray, pool: Executor
) -> None:
    """Put exact costs where they matter, and scale the estimates of the others alike."""
    ends = np.stack([np.repeat(np.arange(len(best)), best.shape[1]), best.ravel()], axis=1)
    pairs = np.unique(np.sort(ends, axis=1), axis=0)
    if not len(pairs):
        return
    pairs = pairs[np.argsort(-lengths[pairs].prod(axis=1), kind="stable")]
    a, b = pairs.T
    estimated = float(cost[a, b].sum(dtype=np.float64))
    chunks = np.array_split(pairs, -(-len(pairs) // CHUNK_PAIRS))
    exact = np.concatenate(
        list(pool.map(lambda chunk: aligner.exact_pair_costs(chunk, ASSIGNMENT_STEPS), chunks))
    )
    if estimated > 0:
        np.minimum(cost * np.float32(exact.sum() / estimated), 1, out=cost)
    cost[a, b] = cost[b, a] = exact
