"""The weight of a known row against the public rows it may come from."""

from __future__ import annotations

import cython
from cython import double as real
from cython import float as single
from cython import int as small
from cython import longlong as whole

from tokumei.kernels.match_likelihood import Column, RowWeights


def column_table(c: Column, shares: real[::1], table: single[:, ::1]) -> None:
    """Fill in the weight of every distinct known value against every distinct public one."""
    with cython.nogil:
        for i in range(c.known.shape[0]):
            place: whole = c.edges.shape[0]
            for j in range(c.public.shape[0]):
                while place > 0 and c.edges[place - 1] > c.known[i] - c.public[j]:
                    place -= 1
                table[i, j] = shares[place] * c.rarity[j, place]


def price_totals(
    often: real[::1],
    price: single[:, ::1],
    price_place: small[::1],
    usual: single[:, ::1],
    usual_place: small[::1],
    total: single[::1],
) -> None:
    """Add for every public row the mean over known prices of both price weights together."""
    with cython.nogil:
        for known in range(often.shape[0]):
            for row in range(total.shape[0]):
                both = price[known, price_place[row]] * usual[known, usual_place[row]]
                total[row] += often[known] * both


def pair_lists(
    pair_item: whole[::1],
    pair_price: whole[::1],
    item: whole[::1],
    price: single[:, ::1],
    price_place: small[::1],
    usual: single[:, ::1],
    usual_place: small[::1],
    total: single[::1],
    same: real[::1],
    other: real,
    negligible: real,
    pair: whole,
    first: whole[::1],
    row: small[::1],
    weight: single[::1],
) -> int:
    """Append the lists of pairs from this one on while there is room; the first left over."""
    with cython.nogil:
        count: whole = first[pair]
        while pair < pair_item.shape[0] and count + item.shape[0] <= row.shape[0]:
            known = pair_price[pair]
            for public in range(item.shape[0]):
                found: real = same[pair_item[pair]] if item[public] == pair_item[pair] else other
                if found < negligible:
                    continue
                both = price[known, price_place[public]] * usual[known, usual_place[public]]
                found = found * cython.cast(real, both) / cython.cast(real, total[public])
                if found >= negligible:
                    row[count], weight[count] = public, found
                    count += 1
            pair += 1
            first[pair] = count
    return pair


@cython.cfunc
def row_weight(w: RowWeights, known: whole, entry: whole) -> real:
    """The weight of a known row and the public row of an entry in its pair's list."""
    row = w.row[entry]
    return cython.cast(
        real,
        w.weight[entry]
        * w.quantity[w.known_quantity[known], w.public_quantity[row]]
        * w.day[w.known_day[known], w.public_day[row]]
        * w.time[w.known_time[known], w.public_time[row]],
    )
