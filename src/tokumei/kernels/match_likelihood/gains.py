"""How much a customer's known rows speak for each pseudonym of the month.

Each known row comes from one public row of the pseudonym or from a deleted one. Taken in order,
surest first, a row adds log(1 + Σ w / (μ δ (1 − α))) over the pseudonym's rows not taken yet and
takes the likeliest (α: share known, δ: share deleted, μ: rows of the customer). Where fewer
public than known rows lack a partner, public rows take known ones instead.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as small
from cython import longlong as whole
from cython.cimports.libc.math import log, log1p

from tokumei.kernels.match_likelihood import Desk, MonthRows, RowWeights
from tokumei.kernels.match_likelihood.weights import row_weight


def find_gains(
    w: RowWeights,
    m: MonthRows,
    d: Desk,
    known: real,
    deleted: real,
    most_rows: whole,
    exact: cython.bint,
    begin: whole,
    end: whole,
    best: small[:, ::1],
    gain: real[:, ::1],
) -> None:
    """Write down the best pseudonyms of these customers and their gains."""
    with cython.nogil:
        for customer in range(begin, end):
            _rough_gains(w, m, d, min(known, 0.95), max(deleted, 0.05), customer, most_rows)
            _keep_best_gains(d, customer, best, gain)
            if exact:
                start, stop = m.known_start[customer], m.known_start[customer + 1]
                for k in range(start, stop):
                    d.scale[k - start] = _weight_scale(w, k)
                for place in range(best.shape[1]):
                    owner = best[customer, place]
                    gain[customer, place] = _exact_gain(w, m, d, known, deleted, customer, owner)


@cython.cfunc
def _keep_best_gains(
    d: Desk, customer: whole, best: small[:, ::1], gain: real[:, ::1]
) -> cython.void:
    """The highest gains of a customer in descending order, the first among equals."""
    width, filled = best.shape[1], 0
    for owner in range(d.rough.shape[0]):
        if filled == width and d.rough[owner] <= gain[customer, width - 1]:
            continue
        place: whole = min(filled, width - 1)
        while place > 0 and gain[customer, place - 1] < d.rough[owner]:
            best[customer, place] = best[customer, place - 1]
            gain[customer, place] = gain[customer, place - 1]
            place -= 1
        best[customer, place], gain[customer, place] = owner, d.rough[owner]
        filled = min(filled + 1, width)


@cython.cfunc
def _weight_scale(w: RowWeights, known: whole) -> real:
    """What makes the mean weight over all public rows of the month one."""
    total: real = 0.0
    for entry in range(w.first[w.pair[known]], w.first[w.pair[known] + 1]):
        total += row_weight(w, known, entry)
    return w.public_day.shape[0] / total if total > 0 else 0.0


@cython.cfunc
def _rough_gains(
    w: RowWeights,
    m: MonthRows,
    d: Desk,
    known: real,
    deleted: real,
    customer: whole,
    most_rows: whole,
) -> cython.void:
    """Gains against all pseudonyms from some of the known rows, in file order."""
    start, stop = m.known_start[customer], m.known_start[customer + 1]
    step = (stop - start + most_rows - 1) // most_rows
    for owner in range(d.rough.shape[0]):
        d.rough[owner] = 0.0
    k: whole = start
    while k < stop:
        factor = _weight_scale(w, k) / (deleted * (1 - known))
        entry: whole = w.first[w.pair[k]]
        last = w.first[w.pair[k] + 1]
        while entry < last:
            owner = m.public_owner[w.row[entry]]
            end = m.public_start[owner + 1]
            likeliest: whole = -1
            total: real = 0.0
            most: real = 0.0
            while entry < last and w.row[entry] < end:
                if d.taken[w.row[entry]] != customer:
                    weight = row_weight(w, k, entry)
                    total += weight
                    if weight > most:
                        most, likeliest = weight, w.row[entry]
                entry += 1
            rows = end - m.public_start[owner]
            odds = total * factor / max(rows / (1 - deleted), (stop - start) / known)
            d.rough[owner] += log1p(odds) * step
            if odds > 1 and likeliest >= 0:
                d.taken[likeliest] = customer
        if deleted > 0.05 and _is_first_of_basket(m, start, k, step):
            for owner in range(d.rough.shape[0]):
                d.rough[owner] += log(_basket_likelihood(w, m, m.basket[k], owner))
        k += step


@cython.cfunc
def _is_first_of_basket(m: MonthRows, start: whole, k: whole, step: whole) -> cython.bint:
    """Whether no row before is of the same basket."""
    at: whole = start
    while at < k:
        if m.basket[at] == m.basket[k]:
            return False
        at += step
    return True


@cython.cfunc
def _basket_likelihood(w: RowWeights, m: MonthRows, basket: whole, owner: whole) -> real:
    """How much likelier a deleted row's day and time are, given the pseudonym's rows.

    Other rows of the same day and time speak for a pseudonym though the row was deleted.
    """
    day, time = m.basket_day[basket], m.basket_time[basket]
    start, stop = m.public_start[owner], m.public_start[owner + 1]
    total: real = 0.0
    for row in range(start, stop):
        total += cython.cast(real, w.day[day, w.public_day[row]] * w.time[time, w.public_time[row]])
    return 0.5 + 0.5 * total / (stop - start)


@cython.cfunc
def _exact_gain(
    w: RowWeights, m: MonthRows, d: Desk, known: real, deleted: real, customer: whole, owner: whole
) -> real:
    """The gain of a pseudonym from all rows, surest first."""
    start, low = m.known_start[customer], m.public_start[owner]
    rows, others = m.known_start[customer + 1] - start, m.public_start[owner + 1] - low
    from_public: cython.bint = deleted > 1 - known
    _fill_table(w, d, start, rows, low, others, from_public)
    factor = 1 / (max(others / (1 - deleted), rows / known) * deleted * (1 - known))
    for k in range(rows):
        d.matched[k] = False
    found: real
    if from_public:
        found = _match_rows(d, others, rows, factor, True)
    else:
        found = _match_rows(d, rows, others, factor, False)
    for k in range(rows):
        if not d.matched[k] and _is_unmatched_first(m, d, start, rows, k):
            found += log(_basket_likelihood(w, m, m.basket[start + k], owner))
    return found


@cython.cfunc
def _fill_table(
    w: RowWeights,
    d: Desk,
    start: whole,
    rows: whole,
    low: whole,
    others: whole,
    from_public: cython.bint,
) -> cython.void:
    """The weights of known and public rows; lines are those that take."""
    for cell in range(rows * others):
        d.table[cell] = 0.0
    for k in range(rows):
        entry: whole = _find_entry(
            w, w.first[w.pair[start + k]], w.first[w.pair[start + k] + 1], low
        )
        while entry < w.first[w.pair[start + k] + 1] and w.row[entry] < low + others:
            place = w.row[entry] - low
            cell = place * rows + k if from_public else k * others + place
            d.table[cell] = row_weight(w, start + k, entry) * d.scale[k]
            entry += 1


@cython.cfunc
def _find_entry(w: RowWeights, low: whole, high: whole, row: whole) -> whole:
    """The first entry of a list whose row is not before this one."""
    while low < high:
        middle = (low + high) >> 1
        if w.row[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


@cython.cfunc
def _is_unmatched_first(m: MonthRows, d: Desk, start: whole, rows: whole, k: whole) -> cython.bint:
    """Whether no row of the basket was matched and this is its first."""
    for other in range(rows):
        same: cython.bint = m.basket[start + other] == m.basket[start + k]
        if same and (d.matched[other] or other < k):
            return False
    return True


@cython.cfunc
def _match_rows(
    d: Desk, lines: whole, width: whole, factor: real, from_public: cython.bint
) -> real:
    """The sum of log(1 + factor · what is still free), surest lines first, each taking one."""
    _sort_lines(d, lines, width)
    for j in range(width):
        d.used[j] = False
    gain: real = 0.0
    for place in range(lines):
        first = d.order[place] * width
        likeliest: whole = -1
        total: real = 0.0
        highest: real = 0.0
        for j in range(width):
            if not d.used[j] and d.table[first + j] > 0:
                total += cython.cast(real, d.table[first + j])
                if d.table[first + j] > highest:
                    highest, likeliest = d.table[first + j], j
        gain += log1p(total * factor)
        if total * factor > 1 and likeliest >= 0:
            d.used[likeliest] = True
            d.matched[likeliest if from_public else d.order[place]] = True
    return gain


@cython.cfunc
def _sort_lines(d: Desk, lines: whole, width: whole) -> cython.void:
    """Bring the lines into order, those with the highest weight first, then the first."""
    for i in range(lines):
        most: real = 0.0
        for j in range(width):
            most = max(most, cython.cast(real, d.table[i * width + j]))
        place: whole = i
        while place > 0 and d.most[place - 1] < most:
            d.most[place], d.order[place] = d.most[place - 1], d.order[place - 1]
            place -= 1
        d.most[place], d.order[place] = most, i
