"""Learn from sure pairs how released values differ from known ones (expectation–maximization).

    model = Model.start(rates)
    model = model.learned(sides, months, sure)       # rows: month, known and public group

In a sure pair each known row comes from one of the pseudonym's rows or from a deleted one. The
shares of the differences, of equal items and of deleted rows that explain this best are found by
a few rounds of weighing and counting. Pairs with few public rows come first: they leave less doubt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from tokumei.kernels.evidence.bins import ITEM, Entries, count_bins, fill_entries
from tokumei.kernels.evidence.gains import Rates
from tokumei.kernels.evidence.weights import MonthRows
from tokumei.pseudonyms.attackers.columns import EDGES, start_shares
from tokumei.pseudonyms.attackers.sides import Sides

ENTRIES = 400_000
ROUNDS = 6
_UNSEEN = 0.2  # added to every learned count
_LEAST_RATE = 0.002
_HALF = 0.5
COLUMNS = ITEM + 1
BINS = max(len(edges) for edges in EDGES) + 1


@dataclass(frozen=True, eq=False)
class Model:
    """Shares of the bins of every column, the share of equal items, and the rates."""

    shares: list[np.ndarray]
    same_item: float
    rates: Rates

    @classmethod
    def start(cls, rates: Rates) -> Model:
        """Before anything is learned."""
        return cls(start_shares(), 0.9, _limited(rates))

    def learned(
        self,
        sides: Sides,
        months: Mapping[int, MonthRows],
        sure: np.ndarray,
    ) -> Model:
        """The model that explains the sure pairs better; the same one without any."""
        if not len(sure):
            return self
        entries, known, public = _collect(sides, months, sure, self.rates.deleted)
        table = np.zeros((COLUMNS, BINS))
        sizes = [len(part) for part in self.shares] + [2]
        items = np.array([1 - self.same_item, self.same_item])
        for row, part in zip(table, [*self.shares, items], strict=True):
            row[: len(part)] = part
        matched = 0.0
        for _ in range(ROUNDS):
            counts, matched = count_bins(entries, table)
            for row, counted, size in zip(table, counts, sizes, strict=True):
                row[:size] = counted[:size] + _UNSEEN
                row /= row.sum()
        parts = [row[:size].copy() for row, size in zip(table, sizes, strict=True)]
        rates = Rates(matched / public, 1 - matched / known)
        return replace(
            self, shares=parts[:-1], same_item=float(parts[-1][1]), rates=_limited(rates)
        )

    def told(self, rates: Rates) -> Model:
        """With the rates the files tell, unless what was learned contradicts them by half."""
        found = self.rates
        if all(_HALF < a / b < 1 / _HALF for a, b in zip(found, _limited(rates), strict=True)):
            return replace(self, rates=_limited(rates))
        return self


def _limited(rates: Rates) -> Rates:
    known = min(max(rates.known, 0.02), 1 - _LEAST_RATE)
    return Rates(float(known), float(min(max(rates.deleted, _LEAST_RATE), 0.9)))


def _collect(
    sides: Sides,
    months: Mapping[int, MonthRows],
    pairs: np.ndarray,
    deleted: float,
) -> tuple[Entries, int, int]:
    """Entries of as many pairs as there is room for; how many known and public rows they have."""
    k_low, k_high = sides.known.start[pairs[:, 1]], sides.known.start[pairs[:, 1] + 1]
    p_low, p_high = sides.public.start[pairs[:, 2]], sides.public.start[pairs[:, 2] + 1]
    size = (k_high - k_low) * (p_high - p_low)
    order = np.lexsort((pairs[:, 1], p_high - p_low))
    order = order[np.cumsum(size[order]) <= max(ENTRIES, int(size[order[0]]))]
    room = int(size[order].sum())
    entries = Entries(
        np.empty(room, np.int64),
        np.empty((room, COLUMNS), np.uint8),
        np.empty(room),
        np.empty(room),
    )
    filled = 0
    for i in order:
        month = int(pairs[i, 0])
        first = sides.public.rows(month).start
        filled = fill_entries(
            entries,
            filled,
            (int(k_low[i]), int(k_high[i]), int(p_low[i]), int(p_high[i]), int(first)),
            sides.known.item,
            sides.known.values,
            sides.public.item,
            sides.public.values,
            months[month],
            (1 - deleted) / deleted,
        )
    return entries, int((k_high - k_low)[order].sum()), int((p_high - p_low)[order].sum())
