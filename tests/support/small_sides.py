"""Small months of public and known rows, drawn at random, and slow twins of the compiled parts."""

from __future__ import annotations

import math
import random

import polars as pl
from hypothesis import strategies as st

from support.period_rows import rows_of
from tokumei.pseudonyms.attackers.challenge import PublicAndKnownRows
from tokumei.pseudonyms.attackers.noise_model import BIN_EDGES, initial_bin_shares
from tokumei.pseudonyms.data.purchase_text_cells import Months

MONTHS = Months(491, 2)
CUSTOMERS = pl.Series("customer", ["c1", "c2", "c3"])


def _row(chance):
    return (
        chance.randint(1, 3),
        chance.choice(["2010/12/1", "2010/12/2", "2010/12/15", "2011/1/20"]),
        chance.choice(["9:00", "9:05", "17:30"]),
        chance.choice(["2105", "2266", "9"]),
        chance.choice(["1", "1.05", "2.5"]),
        chance.choice(["1", "2", "12"]),
    )


def _lines(rows, letter, cut):
    return [f"{letter}{r[0]},0,{r[1]},{r[2]},{r[3][:cut]},{r[4]},{r[5]}" for r in rows]


def small_sides() -> st.SearchStrategy[PublicAndKnownRows]:
    """At least one row of December on either side; known items have two characters.

    Hypothesis draws a seed only: cell by cell it takes longer than what is tested.
    """
    return st.integers(0, 2**32).map(lambda seed: sides_of(random.Random(seed)))


def sides_of(chance) -> PublicAndKnownRows:
    """Up to 15 public and 11 known rows of two months."""
    first = (1, "2010/12/2", "9:00", "2105", "1", "2")
    public = [first, *(_row(chance) for _ in range(chance.randint(0, 14)))]
    known = [first, *(_row(chance) for _ in range(chance.randint(0, 10)))]
    return PublicAndKnownRows.of(
        rows_of(_lines(public, "p", 5)),
        rows_of(_lines(known, "c", 2)),
        customers=CUSTOMERS,
        months=MONTHS,
    )


def slow_bin(edges, difference):
    return sum(difference >= edge for edge in edges)


def slow_weights(sides: PublicAndKnownRows, month: int, same_item: float, shares=None):
    """The weight of every known and public row of a month, without leaving out any."""
    shares = initial_bin_shares() if shares is None else shares
    k_rows, p_rows = sides.known.rows_of_month(month), sides.public.rows_of_month(month)
    known = sides.known.values[:, k_rows].T
    public = sides.public.values[:, p_rows].T
    totals = [
        sum(
            _column_weight(0, any_[0], p[0], known, shares)
            * _column_weight(1, any_[1], p[1], known, shares)
            for any_ in known
        )
        for p in public
    ]
    table = []
    for k, item in zip(known, sides.known.item[k_rows], strict=True):
        row = []
        for p, other, total in zip(public, sides.public.item[p_rows], totals, strict=True):
            parts = [_column_weight(c, k[c], p[c], known, shares) for c in range(len(BIN_EDGES))]
            by_item = 1 - same_item
            if item == other:
                by_item = same_item / max(sides.item_share[item], 1e-4)
            price = parts[0] * parts[1] / (total / len(known))
            row.append((by_item * price, parts[2] * parts[3] * parts[4]))
        table.append(row)
    return table


def slow_company(sides: PublicAndKnownRows, month: int, k: int, owner: slice) -> float:
    """How likely the day and time of a known row are, given the rows of a pseudonym."""
    known = sides.known.values[:, sides.known.rows_of_month(month)].T
    public = sides.public.values[:, sides.public.rows_of_month(month)].T[owner]
    shares = initial_bin_shares()
    both = [
        _column_weight(3, known[k][3], p[3], known, shares)
        * _column_weight(4, known[k][4], p[4], known, shares)
        for p in public
    ]
    return 0.5 + 0.5 * sum(both) / len(both)


def _column_weight(column, k, p, known, shares):
    edges = BIN_EDGES[column]
    place = slow_bin(edges, k - p)
    counts = [0.5] * (len(edges) + 1)
    for row in known:
        counts[slow_bin(edges, row[column] - p)] += 1
    return shares[column][place] * sum(counts) / counts[place]


def slow_match(table, factor, from_public):
    """The gain of a pair, row by row; which known rows were matched."""
    side = [list(column) for column in zip(*table, strict=True)] if from_public else table
    order = sorted(range(len(side)), key=lambda i: -max(side[i], default=0))
    taken, pairs, gain = set(), [], 0.0
    for i in order:
        free = {j: value for j, value in enumerate(side[i]) if j not in taken}
        total = sum(free.values()) * factor
        gain += math.log1p(total)
        if total > 1:
            likeliest = max(free, key=lambda j: (free[j], -j))
            taken.add(likeliest)
            pairs.append((likeliest, i) if from_public else (i, likeliest))
    return gain, {k for k, _ in pairs}
