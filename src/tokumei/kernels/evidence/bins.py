"""How the differences of sure pairs fall into bins, weighed by what is believed so far (compiled).

counts, matched = count_bins(entries, shares)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.evidence.columns import DAY, TIME, bin_of
from tokumei.kernels.evidence.weights import MonthRows

ITEM = 5
"""The column of bins behind those of `columns`: 1 if the items are equal."""


class Entries(NamedTuple):
    """Every known row of sure pairs against every row of its pseudonym."""

    known: np.ndarray
    bins: np.ndarray  # the last column: 1 if the items are equal
    rarity: np.ndarray
    company: np.ndarray  # that of day and time alone, by the pseudonym's rows


@compiled
def fill_entries(
    entries: Entries,
    filled: int,
    ends: tuple[int, int, int, int, int],
    known_item: np.ndarray,
    known_values: np.ndarray,
    public_item: np.ndarray,
    public_values: np.ndarray,
    month: MonthRows,
    odds: float,
) -> int:
    """Add the entries of one pair; `ends`: its known and public rows, the month's first row."""
    low, high, start, stop, first = ends
    for k in range(low, high):
        for p in range(start, stop):
            rarity, company = odds / (stop - start), 1.0 / (stop - start)
            for number in range(ITEM):
                column = month.columns[number]
                place = bin_of(column.edges, known_values[number, k] - public_values[number, p])
                rare = column.rarity[column.public_place[p - first], place]
                rarity *= rare
                if number in (DAY, TIME):
                    company *= rare
                entries.bins[filled, number] = place
            same = known_item[k] == public_item[p]
            if same:
                rarity *= month.item_rarity[known_item[k]]
            entries.bins[filled, ITEM] = 1 if same else 0
            entries.known[filled] = k
            entries.rarity[filled], entries.company[filled] = rarity, company
            filled += 1
    return filled


@compiled
def count_bins(entries: Entries, shares: np.ndarray) -> tuple[np.ndarray, float]:
    """Expected counts of all bins over the matched rows, and how many rows are matched."""
    counts = np.zeros(shares.shape)
    weight = np.empty(len(entries.known))
    matched, start = 0.0, 0
    while start < len(weight):
        total, stop = 0.5, start
        while stop < len(weight) and entries.known[stop] == entries.known[start]:
            found, bins = entries.rarity[stop], entries.bins[stop]
            for column in range(ITEM + 1):
                found *= shares[column, bins[column]]
            weight[stop] = found
            together = shares[DAY, bins[DAY]] * shares[TIME, bins[TIME]]
            total += found + 0.5 * entries.company[stop] * together
            stop += 1
        for entry in range(start, stop):
            chance = weight[entry] / total
            matched += chance
            for column in range(ITEM + 1):
                counts[column, entries.bins[entry, column]] += chance
        start = stop
    return counts, matched
