"""Assigns pseudonyms to customers month by month from the evidence for each pair.

    answer = answer_months(evidence.gains, evidence, rng=rng)
    linked = link_other_months(evidence, answer)       # a pseudonym may live longer than a month

Tables are sparse, customers × pseudonyms; a cell without an entry is below all of its row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from tokumei.core.randomness import Randomness

DENSE_CELLS = 4_000_000
"""Tables with more cells are assigned by their entries alone."""

NOBODY = -1
_FORBIDDEN = -1e7
_MAX_COST = 50.0


def assign_pseudonyms(
    gains: csr_array, none: np.ndarray, *, rng: Randomness
) -> tuple[np.ndarray, np.ndarray]:
    """The assignment with the highest sum: pseudonyms (NOBODY: none) and how far each leads.

    A customer gets a pseudonym with an entry, or none, which counts `none`. Lead: log odds of the
    answer against all exchanges with one other customer. Equal sums are decided by lot.
    """
    rows, columns = (rng.child(side).permutation(n) for side, n in enumerate(gains.shape))
    shuffled = csr_array(gains[rows][:, columns])
    solve = _solve_dense if gains.shape[0] * sum(gains.shape) <= DENSE_CELLS else _solve_sparse
    matched_rows, matched_columns = solve(shuffled, none[rows])
    is_pseudonym = matched_columns < gains.shape[1]
    chosen = np.full(gains.shape[0], NOBODY, dtype=np.int64)
    chosen[rows[matched_rows[is_pseudonym]]] = columns[matched_columns[is_pseudonym]]
    return chosen, answer_log_odds(gains, none, chosen)


def _solve_dense(gains: csr_array, none: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All cells, and a private way out for each customer."""
    people, pseudonyms = gains.shape
    table = np.full((people, pseudonyms + people), _FORBIDDEN)
    entries = gains.tocoo()
    table[entries.row, entries.col] = entries.data
    table[np.arange(people), pseudonyms + np.arange(people)] = none
    return linear_sum_assignment(np.round(table, 9), maximize=True)


def _solve_sparse(gains: csr_array, none: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same with entries alone."""
    people, pseudonyms = gains.shape
    entries = gains.tocoo()
    value = np.round(np.append(entries.data, none), 9)
    left = np.append(entries.row, np.arange(people))
    right = np.append(entries.col, pseudonyms + np.arange(people))
    cost = value.max() - value + 1  # nought would be no entry
    shape = (people, pseudonyms + people)
    return min_weight_full_bipartite_matching(csr_array((cost, (left, right)), shape=shape))


def answer_log_odds(gains: csr_array, none: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Log odds of every answer: − log Σ exp(−cost) over what else might be.

    A customer might have none, a free pseudonym, or another's, who then has the first one's or
    none; that speaks against the answers for both. Where none is the answer the lead is −∞.
    """
    people, pseudonyms = gains.shape
    entries = gains.tocoo()
    row, column, value = entries.row, entries.col, entries.data
    is_answer = chosen[row] == column
    answer_value = none.astype(np.float64)
    answer_value[row[is_answer]] = value[is_answer]
    holder = np.full(pseudonyms, NOBODY)
    holder[chosen[chosen != NOBODY]] = np.flatnonzero(chosen != NOBODY)
    row, value, other = row[~is_answer], value[~is_answer], holder[column[~is_answer]]
    free = other == NOBODY
    against = _sum_odds(people, row[free], answer_value[row[free]] - value[free])
    against += np.exp(-np.minimum(answer_value - none, _MAX_COST))
    row, value, other = row[~free], value[~free], other[~free]
    # The other customer in turn: the first one's pseudonym if that is an entry, or none.
    keys = row.astype(np.int64) * people + other
    order = np.argsort(keys)
    return_keys = other.astype(np.int64) * people + row
    place = np.minimum(np.searchsorted(keys[order], return_keys), max(len(keys) - 1, 0))
    has_return = keys[order][place] == return_keys if len(keys) else np.zeros(0, dtype=bool)
    return_value = np.where(has_return, value[order][place] if len(keys) else value, -np.inf)
    cost = answer_value[row] + answer_value[other] - value - np.maximum(return_value, none[other])
    against += _sum_odds(people, row, cost) + _sum_odds(people, other, cost)
    return np.where(chosen != NOBODY, -np.log(against), -np.inf)


def _sum_odds(people: int, customer: np.ndarray, cost: np.ndarray) -> np.ndarray:
    odds = np.zeros(people)
    np.add.at(odds, customer, np.exp(-np.minimum(cost, _MAX_COST)))
    return odds


SURE_LOG_ODDS = 3.0
"""Log odds above which an answer is learned from."""

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class MonthlyEvidence:
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
class MonthlyAnswers:
    """The pseudonym of every customer and month (NOBODY: none), and its log odds."""

    chosen: np.ndarray
    lead: np.ndarray

    @property
    def sure(self) -> np.ndarray:
        """Which answers are beyond doubt."""
        return np.asarray((self.chosen != NOBODY) & (self.lead > SURE_LOG_ODDS))


@dataclass(frozen=True, eq=False)
class CrossMonthValues:
    """Values of every month with what other months add; `others`: of a cell without an entry."""

    values: list[csr_array]
    others: np.ndarray  # months × pseudonyms

    def value_table(self, month: int, people: np.ndarray, pseudonyms: np.ndarray) -> np.ndarray:
        """The cells of these customers and pseudonyms."""
        part = csr_array(self.values[month][people][:, pseudonyms]).tocoo()
        table = np.tile(self.others[month, pseudonyms], (len(people), 1))
        table[part.row, part.col] = part.data
        return table


def answer_months(
    values: list[csr_array], evidence: MonthlyEvidence, *, rng: Randomness
) -> MonthlyAnswers:
    """One assignment for every month among the pseudonyms that live in it."""
    chosen = np.full((values[0].shape[0], len(values)), NOBODY, dtype=np.int64)
    lead = np.full(chosen.shape, -np.inf)
    for month, value in enumerate(values):
        people = np.flatnonzero(np.diff(value.indptr))
        alive = np.flatnonzero(evidence.alive[month])
        if not len(people) or not len(alive):
            continue
        table = csr_array(value[people][:, alive])
        assigned, odds = assign_pseudonyms(
            table, evidence.none[month, people], rng=rng.child(month)
        )
        chosen[people, month] = np.where(assigned == NOBODY, NOBODY, alive[assigned])
        lead[people, month] = odds
    return MonthlyAnswers(chosen, lead)


def link_other_months(evidence: MonthlyEvidence, answer: MonthlyAnswers) -> CrossMonthValues:
    """The gains with what the other months of each pseudonym add.

    With the share π of pseudonyms that keep their customer from one month to another, learned from
    sure answers, a customer who is the pseudonym in its other months with probability r (of n
    customers) gains log(π·r·n + 1 − π): nothing, if pseudonyms are exchanged at will.
    """
    several = evidence.alive.sum(axis=0) > 1
    if not several.any():
        return CrossMonthValues(evidence.gains, np.zeros(evidence.alive.shape))
    stay_share = _estimate_stay_share(answer)
    ratios = [
        _log_likelihood_ratios(gain, int(alive.sum()))
        for gain, alive in zip(evidence.gains, evidence.alive, strict=True)
    ]
    total_ratios = csr_array(sum(ratios[1:], start=ratios[0]))
    linked = [
        _join_other_months(gain, csr_array(total_ratios - ratio), several & alive, stay_share)
        for gain, ratio, alive in zip(evidence.gains, ratios, evidence.alive, strict=True)
    ]
    return CrossMonthValues(
        [values for values, _ in linked], np.array([others for _, others in linked])
    )


def _estimate_stay_share(answer: MonthlyAnswers) -> float:
    """The share of a pseudonym's sure answers that agree with the one before, cautiously."""
    customer, month = np.nonzero(answer.sure)
    order = np.lexsort((month, answer.chosen[customer, month]))
    customer, name = customer[order], answer.chosen[customer, month][order]
    same_pseudonym = name[1:] == name[:-1]
    same_customer = same_pseudonym & (customer[1:] == customer[:-1])
    return (int(same_customer.sum()) + 1) / (int(same_pseudonym.sum()) + 2)


def _log_likelihood_ratios(gains: csr_array, pseudonyms: int) -> csr_array:
    """Log likelihood of each entry against a pseudonym drawn at random."""
    data = gains.data.copy()
    for row in np.flatnonzero(np.diff(gains.indptr)):
        part = slice(gains.indptr[row], gains.indptr[row + 1])
        row_gains = gains.data[part]
        others = pseudonyms - len(row_gains)
        top = row_gains.max()
        total = np.exp(row_gains - top).sum() + others * np.exp(row_gains.min() - 1 - top)
        data[part] = row_gains - top - np.log(total / pseudonyms)
    return csr_array((data, gains.indices, gains.indptr), shape=gains.shape)


def _join_other_months(
    gains: csr_array, others: csr_array, living: np.ndarray, stay: float
) -> tuple[csr_array, np.ndarray]:
    """One month's gains and what other months say; customers only heard of there come in."""
    people, pseudonyms = gains.shape
    other_entries = others.tocoo()
    keep = living[other_entries.col] & (other_entries.data > _ROUNDING)
    row, column, ratio = (
        other_entries.row[keep],
        other_entries.col[keep],
        np.minimum(other_entries.data[keep], 500.0),
    )
    top = np.zeros(pseudonyms)
    np.maximum.at(top, column, ratio)
    total = people * np.exp(-top) + np.bincount(column, np.exp(ratio - top[column]), pseudonyms)
    chance, rest = np.exp(ratio - top[column]) / total[column], np.exp(-top) / total
    own_entries = gains.tocoo()
    keys = np.union1d(own_entries.row * pseudonyms + own_entries.col, row * pseudonyms + column)
    customer, name = keys // pseudonyms, keys % pseudonyms
    value = _fill_defaults(
        keys,
        own_entries.row * pseudonyms + own_entries.col,
        own_entries.data,
        _default_gains(gains)[customer],
    )
    belief = _fill_defaults(keys, row * pseudonyms + column, chance, rest[name])
    value = value + np.where(living[name], np.log(stay * belief * people + 1 - stay), 0.0)
    default = np.where(living, np.log(stay * rest * people + 1 - stay), 0.0)
    return csr_array((value, (customer, name)), shape=gains.shape), default


def _default_gains(gains: csr_array) -> np.ndarray:
    """What a pseudonym without an entry counts for each customer: nothing, or one below all."""
    least = np.zeros(gains.shape[0])
    has_entries = np.diff(gains.indptr) > 0
    least[has_entries] = np.minimum.reduceat(gains.data, gains.indptr[:-1][has_entries]) - 1
    return least


def _fill_defaults(
    keys: np.ndarray, places: np.ndarray, data: np.ndarray, default: np.ndarray
) -> np.ndarray:
    filled = default.copy()
    filled[np.searchsorted(keys, places)] = data
    return filled
