"""What speaks for every customer being every pseudonym, month by month, and the answer it gives.

    answer = answer_months(evidence.gains, evidence, rng=rng)
    linked = other_months(evidence, answer)       # a pseudonym may live longer than a month

Tables are sparse, customers × pseudonyms; a cell without an entry is below all of its row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from tokumei.core.randomness import Randomness

DENSE = 4_000_000
"""Tables with more cells are assigned by their entries alone."""

NOBODY = -1
_NEVER = -1e7
_MOST = 50.0


def assign(gains: csr_array, none: np.ndarray, *, rng: Randomness) -> tuple[np.ndarray, np.ndarray]:
    """The assignment with the highest sum: pseudonyms (NOBODY: none) and how far each leads.

    A customer gets a pseudonym with an entry, or none, which counts `none`. Lead: log odds of the
    answer against all exchanges with one other customer. Equal sums are decided by lot.
    """
    rows, columns = (rng.child(side).permutation(n) for side, n in enumerate(gains.shape))
    shuffled = csr_array(gains[rows][:, columns])
    solve = _dense if gains.shape[0] * sum(gains.shape) <= DENSE else _sparse
    who, what = solve(shuffled, none[rows])
    inside = what < gains.shape[1]
    chosen = np.full(gains.shape[0], NOBODY, dtype=np.int64)
    chosen[rows[who[inside]]] = columns[what[inside]]
    return chosen, leads(gains, none, chosen)


def _dense(gains: csr_array, none: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All cells, and a private way out for each customer."""
    people, pseudonyms = gains.shape
    table = np.full((people, pseudonyms + people), _NEVER)
    entries = gains.tocoo()
    table[entries.row, entries.col] = entries.data
    table[np.arange(people), pseudonyms + np.arange(people)] = none
    return linear_sum_assignment(np.round(table, 9), maximize=True)


def _sparse(gains: csr_array, none: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same with entries alone."""
    people, pseudonyms = gains.shape
    entries = gains.tocoo()
    value = np.round(np.append(entries.data, none), 9)
    left = np.append(entries.row, np.arange(people))
    right = np.append(entries.col, pseudonyms + np.arange(people))
    cost = value.max() - value + 1  # nought would be no entry
    shape = (people, pseudonyms + people)
    return min_weight_full_bipartite_matching(csr_array((cost, (left, right)), shape=shape))


def leads(gains: csr_array, none: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Log odds of every answer: − log Σ exp(−cost) over what else might be.

    A customer might have none, a free pseudonym, or another's, who then has the first one's or
    none; that speaks against the answers for both. Where none is the answer the lead is −∞.
    """
    people, pseudonyms = gains.shape
    entries = gains.tocoo()
    row, column, value = entries.row, entries.col, entries.data
    mine = chosen[row] == column
    own = none.astype(np.float64)
    own[row[mine]] = value[mine]
    holder = np.full(pseudonyms, NOBODY)
    holder[chosen[chosen != NOBODY]] = np.flatnonzero(chosen != NOBODY)
    row, value, other = row[~mine], value[~mine], holder[column[~mine]]
    free = other == NOBODY
    against = _odds(people, row[free], own[row[free]] - value[free])
    against += np.exp(-np.minimum(own - none, _MOST))
    row, value, other = row[~free], value[~free], other[~free]
    # The other customer in turn: the first one's pseudonym if that is an entry, or none.
    keys = row.astype(np.int64) * people + other
    order = np.argsort(keys)
    back = other.astype(np.int64) * people + row
    place = np.minimum(np.searchsorted(keys[order], back), max(len(keys) - 1, 0))
    there = keys[order][place] == back if len(keys) else np.zeros(0, dtype=bool)
    turn = np.where(there, value[order][place] if len(keys) else value, -np.inf)
    cost = own[row] + own[other] - value - np.maximum(turn, none[other])
    against += _odds(people, row, cost) + _odds(people, other, cost)
    return np.where(chosen != NOBODY, -np.log(against), -np.inf)


def _odds(people: int, who: np.ndarray, cost: np.ndarray) -> np.ndarray:
    odds = np.zeros(people)
    np.add.at(odds, who, np.exp(-np.minimum(cost, _MOST)))
    return odds


SURE = 3.0
"""Log odds above which an answer is learned from."""

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Evidence:
    """Gains of every month; how many rows each pseudonym has, of which customers some are known."""

    gains: list[csr_array]
    rows: np.ndarray  # months × pseudonyms
    heard: np.ndarray  # months × customers
    none: np.ndarray  # months × customers: what having no pseudonym counts

    @property
    def alive(self) -> np.ndarray:
        """Which pseudonyms have rows in which month."""
        return np.asarray(self.rows > 0)


@dataclass(frozen=True, eq=False)
class Answer:
    """The pseudonym of every customer and month (NOBODY: none), and its log odds."""

    chosen: np.ndarray
    lead: np.ndarray

    @property
    def sure(self) -> np.ndarray:
        """Which answers are beyond doubt."""
        return np.asarray((self.chosen != NOBODY) & (self.lead > SURE))


@dataclass(frozen=True, eq=False)
class Linked:
    """Values of every month with what other months add; `others`: of a cell without an entry."""

    values: list[csr_array]
    others: np.ndarray  # months × pseudonyms

    def table(self, month: int, people: np.ndarray, pseudonyms: np.ndarray) -> np.ndarray:
        """The cells of these customers and pseudonyms."""
        part = csr_array(self.values[month][people][:, pseudonyms]).tocoo()
        table = np.tile(self.others[month, pseudonyms], (len(people), 1))
        table[part.row, part.col] = part.data
        return table


def answer_months(values: list[csr_array], evidence: Evidence, *, rng: Randomness) -> Answer:
    """One assignment for every month among the pseudonyms that live in it."""
    chosen = np.full((values[0].shape[0], len(values)), NOBODY, dtype=np.int64)
    lead = np.full(chosen.shape, -np.inf)
    for month, value in enumerate(values):
        people = np.flatnonzero(np.diff(value.indptr))
        alive = np.flatnonzero(evidence.alive[month])
        if not len(people) or not len(alive):
            continue
        table = csr_array(value[people][:, alive])
        found, odds = assign(table, evidence.none[month, people], rng=rng.child(month))
        chosen[people, month] = np.where(found == NOBODY, NOBODY, alive[found])
        lead[people, month] = odds
    return Answer(chosen, lead)


def other_months(evidence: Evidence, answer: Answer) -> Linked:
    """The gains with what the other months of each pseudonym add.

    With the share π of pseudonyms that keep their customer from one month to another, learned from
    sure answers, a customer who is the pseudonym in its other months with probability r (of n
    customers) gains log(π·r·n + 1 − π): nothing, if pseudonyms are exchanged at will.
    """
    several = evidence.alive.sum(axis=0) > 1
    if not several.any():
        return Linked(evidence.gains, np.zeros(evidence.alive.shape))
    stay = _staying(answer)
    ratios = [
        _ratios(gain, int(alive.sum()))
        for gain, alive in zip(evidence.gains, evidence.alive, strict=True)
    ]
    together = csr_array(sum(ratios[1:], start=ratios[0]))
    joined = [
        _joined(gain, csr_array(together - ratio), several & alive, stay)
        for gain, ratio, alive in zip(evidence.gains, ratios, evidence.alive, strict=True)
    ]
    return Linked([values for values, _ in joined], np.array([others for _, others in joined]))


def _staying(answer: Answer) -> float:
    """The share of a pseudonym's sure answers that agree with the one before, cautiously."""
    who, month = np.nonzero(answer.sure)
    order = np.lexsort((month, answer.chosen[who, month]))
    who, name = who[order], answer.chosen[who, month][order]
    again = name[1:] == name[:-1]
    agree = again & (who[1:] == who[:-1])
    return (int(agree.sum()) + 1) / (int(again.sum()) + 2)


def _ratios(gains: csr_array, pseudonyms: int) -> csr_array:
    """Log likelihood of each entry against a pseudonym drawn at random."""
    data = gains.data.copy()
    for row in np.flatnonzero(np.diff(gains.indptr)):
        part = slice(gains.indptr[row], gains.indptr[row + 1])
        found = gains.data[part]
        others = pseudonyms - len(found)
        top = found.max()
        total = np.exp(found - top).sum() + others * np.exp(found.min() - 1 - top)
        data[part] = found - top - np.log(total / pseudonyms)
    return csr_array((data, gains.indices, gains.indptr), shape=gains.shape)


def _joined(
    gains: csr_array, others: csr_array, living: np.ndarray, stay: float
) -> tuple[csr_array, np.ndarray]:
    """One month's gains and what other months say; customers only heard of there come in."""
    people, pseudonyms = gains.shape
    far = others.tocoo()
    keep = living[far.col] & (far.data > _ROUNDING)
    row, column, ratio = far.row[keep], far.col[keep], np.minimum(far.data[keep], 500.0)
    top = np.zeros(pseudonyms)
    np.maximum.at(top, column, ratio)
    total = people * np.exp(-top) + np.bincount(column, np.exp(ratio - top[column]), pseudonyms)
    chance, rest = np.exp(ratio - top[column]) / total[column], np.exp(-top) / total
    near = gains.tocoo()
    keys = np.union1d(near.row * pseudonyms + near.col, row * pseudonyms + column)
    who, name = keys // pseudonyms, keys % pseudonyms
    value = _lookup(keys, near.row * pseudonyms + near.col, near.data, _least(gains)[who])
    found = _lookup(keys, row * pseudonyms + column, chance, rest[name])
    value = value + np.where(living[name], np.log(stay * found * people + 1 - stay), 0.0)
    default = np.where(living, np.log(stay * rest * people + 1 - stay), 0.0)
    return csr_array((value, (who, name)), shape=gains.shape), default


def _least(gains: csr_array) -> np.ndarray:
    """What a pseudonym without an entry counts for each customer: nothing, or one below all."""
    least = np.zeros(gains.shape[0])
    known = np.diff(gains.indptr) > 0
    least[known] = np.minimum.reduceat(gains.data, gains.indptr[:-1][known]) - 1
    return least


def _lookup(
    keys: np.ndarray, places: np.ndarray, data: np.ndarray, default: np.ndarray
) -> np.ndarray:
    found = default.copy()
    found[np.searchsorted(keys, places)] = data
    return found
