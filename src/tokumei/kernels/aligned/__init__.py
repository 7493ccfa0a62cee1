"""k customers with identical histories at the least loss: cluster customers, align their rows.

pairs = pair_costs(purchases, threads=2)               # once, for every k
alignment = align(purchases, 6, pairs=pairs, seed=1)
alignment.groups, alignment.cluster, alignment.customers
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import numpy as np

from tokumei.kernels.aligned.parts import Alignment, Purchases, joined, part_of, parts_of

if TYPE_CHECKING:
    from tokumei.kernels.aligned.pairs import PairCosts

__all__ = ["Alignment", "Effort", "Purchases", "align", "pair_costs"]

Effort = Literal["normal", "high"] | int
"""How many exchanges to try per customer, or a name for such a number."""
TRIES = {"normal": 4, "high": 70}
PARTNERS = 30


def pair_costs(
    purchases: Purchases, *, effort: Effort = "normal", threads: int = 2
) -> list[PairCosts]:
    """How well every two customers of each part fit together; the same for every k."""
    from tokumei.kernels.aligned import pairs

    partners = PARTNERS if tries(effort) < TRIES["high"] else 2 * PARTNERS
    return [
        pairs.compute(part_of(purchases, part), partners=partners, threads=threads)
        for part in parts_of(purchases)
    ]


def align(
    purchases: Purchases,
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
    from tokumei.kernels.aligned.search import search

    def aligned(customers: np.ndarray, costs: PairCosts) -> Alignment:
        done = len(found) / len(parts)
        return search(
            *(part_of(purchases, customers), k, costs),
            tries=tries(effort),
            seed=seed,
            threads=threads,
            progress=lambda share: progress(done + share / len(parts)),
        ).alignment()

    if pairs is None:
        pairs = pair_costs(purchases, effort=effort, threads=threads)
    parts, found = parts_of(purchases), list[Alignment]()
    if k > (most := min(map(len, parts))):
        raise ValueError(f"k = {k}: at most {most} when customers are taken in parts")
    for customers, costs in zip(parts, pairs, strict=True):
        found.append(aligned(customers, costs))
    if len(parts) == 1:
        return found[0]
    together = joined(purchases, parts, found)
    rest = np.setdiff1d(np.arange(purchases.customers), together.customers)
    if len(rest) < k:
        return together
    last = align(part_of(purchases, rest), k, effort=effort, seed=seed, threads=threads)
    return joined(purchases, [np.arange(purchases.customers), rest], [together, last])


def tries(effort: Effort) -> int:
    """The number of exchanges per customer that an effort means."""
    if isinstance(effort, int):
        return effort
    if effort not in TRIES:
        raise ValueError(f"effort {effort!r}: choose from {', '.join(TRIES)} or a number")
    return TRIES[effort]
