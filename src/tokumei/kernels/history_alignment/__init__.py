"""Clusters k customers and aligns their rows to identical histories of least loss.

pairs = pair_costs(purchases, threads=2)               # once, for every k
alignment = align(purchases, 6, pairs=pairs, seed=1)
alignment.groups, alignment.cluster, alignment.customers
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import numpy as np

from tokumei.kernels.history_alignment.customer_parts import (
    Alignment,
    PurchaseArrays,
    join_alignments,
    select_customers,
    split_customers,
)

if TYPE_CHECKING:
    from tokumei.kernels.history_alignment.customer_pairs import PairCosts

__all__ = ["Alignment", "Effort", "PurchaseArrays", "align", "pair_costs"]

Effort = Literal["normal", "high"] | int
"""How many exchanges to try per customer, or a name for such a number."""
EXCHANGES_BY_EFFORT = {"normal": 4, "high": 70}
PARTNER_COUNT = 30


def pair_costs(
    purchases: PurchaseArrays, *, effort: Effort = "normal", threads: int = 2
) -> list[PairCosts]:
    """How well every two customers of each part fit together; the same for every k."""
    from tokumei.kernels.history_alignment import customer_pairs

    partners = (
        PARTNER_COUNT
        if exchanges_per_customer(effort) < EXCHANGES_BY_EFFORT["high"]
        else 2 * PARTNER_COUNT
    )
    return [
        customer_pairs.compute_pair_costs(
            select_customers(purchases, part), partners=partners, threads=threads
        )
        for part in split_customers(purchases)
    ]


def align(
    purchases: PurchaseArrays,
    k: int,
    *,
    pairs: list[PairCosts] | None = None,
    effort: Effort = "normal",
    seed: int = 0,
    threads: int = 2,
    progress: Callable[[float], None] = lambda share: None,
) -> Alignment:
    """Clusters of exactly k customers and the groups of rows that become identical.

    The n mod k customers that fit worst are in no cluster, and the rows of longer histories that
    fit worst in no group: they are deleted. The result depends on the seed, not on the threads.
    """
    if not 2 <= k <= purchases.customers:
        raise ValueError(f"k = {k}: needs 2 <= k <= {purchases.customers} customers")
    if np.any(purchases.lengths < 1):
        raise ValueError("every customer needs a row")
    from tokumei.kernels.history_alignment.cluster_search import search_clusters

    def align_part(customers: np.ndarray, costs: PairCosts) -> Alignment:
        done = len(alignments) / len(parts)
        return search_clusters(
            *(select_customers(purchases, customers), k, costs),
            tries=exchanges_per_customer(effort),
            seed=seed,
            threads=threads,
            progress=lambda share: progress(done + share / len(parts)),
        ).alignment()

    if pairs is None:
        pairs = pair_costs(purchases, effort=effort, threads=threads)
    parts, alignments = split_customers(purchases), list[Alignment]()
    if k > (max_k := min(map(len, parts))):
        raise ValueError(f"k = {k}: at most {max_k} when customers are taken in parts")
    for customers, costs in zip(parts, pairs, strict=True):
        alignments.append(align_part(customers, costs))
    if len(parts) == 1:
        return alignments[0]
    joined_alignment = join_alignments(purchases, parts, alignments)
    rest = np.setdiff1d(np.arange(purchases.customers), joined_alignment.customers)
    if len(rest) < k:
        return joined_alignment
    last = align(select_customers(purchases, rest), k, effort=effort, seed=seed, threads=threads)
    return join_alignments(
        purchases, [np.arange(purchases.customers), rest], [joined_alignment, last]
    )


def exchanges_per_customer(effort: Effort) -> int:
    """The number of exchanges per customer that an effort means."""
    if isinstance(effort, int):
        return effort
    if effort not in EXCHANGES_BY_EFFORT:
        raise ValueError(
            f"effort {effort!r}: choose from {', '.join(EXCHANGES_BY_EFFORT)} or a number"
        )
    return EXCHANGES_BY_EFFORT[effort]
