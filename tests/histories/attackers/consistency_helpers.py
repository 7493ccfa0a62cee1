"""What the tests split from test_consistency share."""

from collections import Counter

import numpy as np

from support.released_histories import Small
from tokumei.histories.attackers import released_rows as consistency
from tokumei.histories.attackers.released_rows import distinct_released_rows, parse_public_rows
from tokumei.histories.data.generalized_history import format_general_history, select_public_rows


def consistent(row, cells, *, numbers=True):
    inside = [
        cells[at] is None or cells[at][0] <= row[at] <= cells[at][1] for at in (1, 3, 4) if numbers
    ]
    return all(inside) and (cells[2] is None or row[2] in cells[2])


def slow_counts(small: Small, *, numbers=True):
    """For every pseudonym the rows it has, each as its counts per customer."""
    counts = Counter()
    for cells in small.left:
        per_customer = tuple(
            sum(row[0] == who and consistent(row, cells, numbers=numbers) for row in small.rows)
            for who in small.customers
        )
        counts[cells[0], per_customer] += 1
    return counts


def read(small: Small, *, numbers=True):
    case = small.case
    public = select_public_rows(format_general_history(case.released))
    return distinct_released_rows(
        parse_public_rows(public, case.original), numbers=numbers
    ), case.original


def fast_counts(small: Small, *, numbers=True):
    released, known = read(small, numbers=numbers)
    table = np.zeros((len(released.times), len(known.customers)), dtype=int)
    for block in consistency.count_consistent_rows(released, known):
        table[block.first + block.row, block.customer] = block.count
    counts = Counter()
    for person, name in enumerate(released.pseudonyms):
        for row in released.owners[[person]].indices:
            counts[name, tuple(table[row].tolist())] += int(released.times[row])
    return counts
