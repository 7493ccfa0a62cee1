"""One pseudonym or none for each customer of a month, and how sure that is.

chosen, lead = assign(gains, none, rng=rng)       # gains: sparse, customers × pseudonyms
"""

from __future__ import annotations

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
