"""How the differences of sure pairs fall into bins, weighed by what is believed so far."""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole

from tokumei.kernels.match_likelihood import Entries

cython.declare(DAY=whole, TIME=whole, COLUMNS=whole)
DAY, TIME, COLUMNS = 3, 4, 6


def add_expected_bin_counts(
    e: Entries, shares: real[:, ::1], counts: real[:, ::1], weight: real[::1]
) -> float:
    """Add the expected counts of all bins over the matched rows; how many rows are matched."""
    matched: real = 0.0
    start: whole = 0
    with cython.nogil:
        while start < weight.shape[0]:
            stop: whole = start
            total: real = 0.5
            while stop < weight.shape[0] and e.known[stop] == e.known[start]:
                weight[stop] = e.rarity[stop]
                for column in range(COLUMNS):
                    weight[stop] *= shares[column, e.bins[stop, column]]
                together = shares[DAY, e.bins[stop, DAY]] * shares[TIME, e.bins[stop, TIME]]
                total += weight[stop] + 0.5 * e.company[stop] * together
                stop += 1
            for entry in range(start, stop):
                chance = weight[entry] / total
                matched += chance
                for column in range(COLUMNS):
                    counts[column, e.bins[entry, column]] += chance
            start = stop
    return matched
