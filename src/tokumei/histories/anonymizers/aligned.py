"""Aligned: groups k customers with identical histories, chosen and matched for low loss.

The guarantee is rank-match's. Customers are grouped by how well their purchases fit together,
rows inside a group are matched by optimal assignment, and a cell whose interval would cost more
than `*` is given up. The search counts its rounds, not seconds: the same history gives the same
groups whatever the number of threads and the load of the machine. Many customers are taken in
parts, so that time and memory grow with their number and not with its square.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import AdvanceProgress, progress_bar, thread_count
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.grouping_method import (
    MERGED_ROWS_STEP,
    PSEUDONYM_STEP,
    GroupingMethod,
)
from tokumei.histories.data.history import NUMBERS, History
from tokumei.kernels.history_alignment import PurchaseArrays, align, pair_costs
from tokumei.kernels.history_alignment.customer_pairs import PairCosts
from tokumei.kernels.history_alignment.customer_parts import MAX_WHOLE_CUSTOMERS, PART_CUSTOMERS

SEARCH_SEED = 0
"""The search's own: which customers end up together is no secret, who is who inside is."""


@dataclass(frozen=True)
class Aligned(GroupingMethod):
    """k customers who bought alike; their rows matched by optimal assignment."""

    name: ClassVar[str] = "aligned"
    title: ClassVar[Message] = Message("Aligned (least loss)")
    sentence: ClassVar[Message] = Message(
        "Groups k customers who bought alike and matches their rows so that as little as possible "
        "is lost."
    )
    give_up: ClassVar[bool] = True
    explained: ClassVar[tuple[Message, ...]] = (
        Message(
            "Customers whose purchases resemble each other are put into groups of k, so that "
            "little has to be blurred."
        ),
        Message(
            "In each group rows are matched so that the loss is as small as possible, not merely "
            "by their order. A cell that would cost more than deleting it becomes *."
        ),
        MERGED_ROWS_STEP,
        PSEUDONYM_STEP,
    )

    k: int = 6
    effort: Literal["normal", "high"] = "normal"

    def prepare(self, history: History) -> list[PairCosts]:
        """What it costs to put any two customers (of a part, if there are many) together."""
        return pair_costs(
            to_purchase_arrays(history)[0], effort=self.effort, threads=thread_count()
        )

    def groups(self, history: History, *, rng: Randomness, prepared: object = None) -> np.ndarray:
        """Rows that fit together, of customers that fit together."""
        purchases, rows = to_purchase_arrays(history)
        if 2 * self.k > PART_CUSTOMERS and purchases.customers > MAX_WHOLE_CUSTOMERS:
            raise UsageError(
                "k = {k}: above {customers:,} customers aligned takes them in parts, and k can be "
                "at most {largest:,}",
                k=self.k,
                customers=MAX_WHOLE_CUSTOMERS,
                largest=PART_CUSTOMERS // 2,
            )
        pairs = prepared if isinstance(prepared, list) else self.prepare(history)
        with progress_bar(Message("aligned, k = {k}", k=self.k), 1) as advance:
            alignment = align(
                purchases,
                self.k,
                pairs=pairs,
                effort=self.effort,
                seed=SEARCH_SEED,
                threads=thread_count(),
                progress=_to_increments(advance),
            )
        return np.asarray(rows[alignment.groups])


def _to_increments(advance: AdvanceProgress) -> Callable[[float], None]:
    """Takes the share done so far, tells how much was added."""
    reported = 0.0

    def progress(share: float) -> None:
        nonlocal reported
        advance(share - reported)
        reported = share

    return progress


def to_purchase_arrays(history: History) -> tuple[PurchaseArrays, np.ndarray]:
    """The history as arrays, customer by customer, and the row each entry comes from."""
    rows = np.argsort(history.customer_codes, kind="stable")
    numbers = {name: history.numbers(name) / history.unit(name) for name in NUMBERS}
    day, price, quantity = (np.ascontiguousarray(numbers[name][rows]) for name in NUMBERS)
    sd = (float(day.std()), float(price.std()), float(quantity.std()))
    start = np.concatenate([[0], np.cumsum(history.counts)])
    items = history.item_codes[rows].astype(np.int32)
    return PurchaseArrays(start, day, price, quantity, items, sd), rows
