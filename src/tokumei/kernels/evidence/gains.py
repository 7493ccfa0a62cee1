"""How much a customer's known rows speak for each pseudonym of the month (compiled).

    find_gains(weights, month, rates, few, exact)     # pseudonyms and gains, the best of each

Each known row comes from one public row of the pseudonym or from a deleted one. Taken in order,
surest first, a row adds log(1 + Σ w / (μ δ (1 − α))) over the pseudonym's rows not taken yet and
takes the likeliest (α: share known, δ: share deleted, μ: rows of the customer). Where fewer
public than known rows lack a partner, public rows take known ones instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.evidence.weights import MonthRows, RowWeights, row_weight

CANDIDATES = 24
"""Pseudonyms looked at closely for each customer."""


class Rates(NamedTuple):
    """Share of the released rows that are known, and of the known rows that were deleted."""

    known: float
    deleted: float


@compiled
def find_gains(
    weights: RowWeights,
    month: MonthRows,
    rates: Rates,
    most_rows: int,
    exact: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """The best pseudonyms of every customer and their gains; exactly, or from `most_rows` rows."""
    known, public = month.known_start, month.public_start
    customers, pseudonyms = len(known) - 1, len(public) - 1
    width = min(CANDIDATES, pseudonyms)
    best = np.empty((customers, width), np.int32)
    gain = np.empty((customers, width))
    taken = np.full(weights.rows, -1, np.int32)
    for customer in range(customers):
        rough = _rough(weights, month, rates, customer, most_rows, taken)
        best[customer] = np.argsort(-rough)[:width]
        for place in range(width):
            gain[customer, place] = rough[best[customer, place]]
        if exact:
            _refine(weights, month, rates, customer, best[customer], gain[customer])
    return best, gain


@compiled
def _scale(weights: RowWeights, known: int) -> float:
    """What makes the mean weight over all public rows of the month one."""
    total = 0.0
    for entry in range(weights.first[weights.pair[known]], weights.first[weights.pair[known] + 1]):
        total += row_weight(weights, known, entry)
    return weights.rows / total if total > 0 else 0.0


@compiled
def _rough(
    weights: RowWeights,
    month: MonthRows,
    rates: Rates,
    customer: int,
    most_rows: int,
    taken: np.ndarray,
) -> np.ndarray:
    """Gains against all pseudonyms from some of the known rows, in file order."""
    start, stop = month.known_start[customer], month.known_start[customer + 1]
    known, deleted = min(rates.known, 0.95), max(rates.deleted, 0.05)
    step = (stop - start + most_rows - 1) // most_rows
    gains = np.zeros(len(month.public_start) - 1)
    for k in range(start, stop, step):
        factor = _scale(weights, k) / (deleted * (1 - known))
        entry, last = weights.first[weights.pair[k]], weights.first[weights.pair[k] + 1]
        while entry < last:
            owner = month.public_owner[weights.row[entry]]
            end = month.public_start[owner + 1]
            total, most, likeliest = 0.0, 0.0, -1
            while entry < last and weights.row[entry] < end:
                if taken[weights.row[entry]] != customer:
                    weight = row_weight(weights, k, entry)
                    total += weight
                    if weight > most:
                        most, likeliest = weight, weights.row[entry]
                entry += 1
            size = max((end - month.public_start[owner]) / (1 - deleted), (stop - start) / known)
            odds = total * factor / size
            gains[owner] += np.log1p(odds) * step
            if odds > 1:
                taken[likeliest] = customer
        if rates.deleted > 0.05 and _first_of_basket(month.basket, start, k, step):
            _add_company(weights, month, k, gains)
    return gains


@compiled
def _first_of_basket(basket: np.ndarray, start: int, k: int, step: int) -> bool:
    earlier = basket[start:k:step]
    return not np.any(earlier == basket[k])


@compiled
def _add_company(weights: RowWeights, month: MonthRows, k: int, gains: np.ndarray) -> None:
    """Other rows of the same day and time speak for a pseudonym though the row was deleted."""
    for owner in range(len(gains)):
        gains[owner] += np.log(company(weights, month, month.basket[k], owner))


@compiled
def company(weights: RowWeights, month: MonthRows, basket: int, owner: int) -> float:
    """How much likelier a deleted row's day and time are, given the pseudonym's rows."""
    day, time = month.basket_day[basket], month.basket_time[basket]
    total = 0.0
    start, stop = month.public_start[owner], month.public_start[owner + 1]
    for row in range(start, stop):
        total += (
            weights.day[day, weights.public_day[row]] * weights.time[time, weights.public_time[row]]
        )
    return float(0.5 + 0.5 * total / (stop - start))


@compiled
def _refine(
    weights: RowWeights,
    month: MonthRows,
    rates: Rates,
    customer: int,
    best: np.ndarray,
    gain: np.ndarray,
) -> None:
    """Gains of the best pseudonyms from all rows, surest first."""
    start, stop = month.known_start[customer], month.known_start[customer + 1]
    scale = np.empty(stop - start)
    for k in range(start, stop):
        scale[k - start] = _scale(weights, k)
    for place in range(len(best)):
        low, high = month.public_start[best[place]], month.public_start[best[place] + 1]
        table = np.zeros((stop - start, high - low), np.float32)
        for k in range(start, stop):
            first = weights.first[weights.pair[k]]
            rows = weights.row[first : weights.first[weights.pair[k] + 1]]
            for entry in range(
                first + np.searchsorted(rows, low), first + np.searchsorted(rows, high)
            ):
                weight = row_weight(weights, k, entry) * scale[k - start]
                table[k - start, weights.row[entry] - low] = weight
        size = max((high - low) / (1 - rates.deleted), (stop - start) / rates.known)
        factor = 1 / (size * rates.deleted * (1 - rates.known))
        matched = np.zeros(stop - start, np.bool_)
        gain[place] = match_rows(table, factor, rates.deleted > 1 - rates.known, matched)
        for k in range(start, stop):
            if not matched[k - start] and _alone(month.basket[start:stop], matched, k - start):
                gain[place] += np.log(company(weights, month, month.basket[k], best[place]))


@compiled
def _alone(basket: np.ndarray, matched: np.ndarray, k: int) -> bool:
    """Whether no row of the basket was matched and this is its first."""
    for other in range(len(basket)):
        if basket[other] == basket[k] and (matched[other] or other < k):
            return False
    return True


@compiled
def match_rows(table: np.ndarray, factor: float, from_public: bool, matched: np.ndarray) -> float:
    """The sum of log(1 + factor · what is still free), surest rows first, each taking one."""
    side = np.ascontiguousarray(table.T) if from_public else table
    most = np.zeros(len(side))
    for i in range(len(side)):
        for j in range(side.shape[1]):
            most[i] = max(most[i], side[i, j])
    taken = np.zeros(side.shape[1], np.bool_)
    gain = 0.0
    for i in np.argsort(-most):
        total, highest, likeliest = 0.0, 0.0, -1
        for j in range(side.shape[1]):
            if not taken[j] and side[i, j] > 0:
                total += side[i, j]
                if side[i, j] > highest:
                    highest, likeliest = side[i, j], j
        gain += np.log1p(total * factor)
        if total * factor > 1:
            taken[likeliest] = True
            matched[likeliest if from_public else i] = True
    return gain
