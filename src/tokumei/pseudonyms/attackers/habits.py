"""Uses repeated purchases: sure months are evidence for doubtful and hidden ones.

    habits = Habits.learned(items, answer, evidence)
    habits.pairs(month, people, pseudonyms)

A month's items are drawn with a share λ from the customer's own earlier and later items, else from
what everybody buys: likelihood ratio Π (1 − λ + λ·own(item)/all(item)). Some months are like the
others and some are not, so it is averaged over several λ, weighted as explains the sure months
best, each from the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.special import logsumexp

from tokumei.pseudonyms.attackers.assignment import MonthlyAnswers, MonthlyEvidence
from tokumei.pseudonyms.attackers.challenge import PublicAndKnownRows

HABIT_SHARES = np.array([0.0, 0.05, 0.15, 0.3, 0.5, 0.7])
_EM_ROUNDS = 30
_CLEAR_GAIN = 3.0
_PIECE_PEOPLE = 500


def pseudonym_items(sides: PublicAndKnownRows) -> csr_array:
    """Which items each pseudonym has (pseudonyms × items, 0 or 1)."""
    count = int(sides.full_item.max(initial=-1)) + 1
    ones = np.ones(len(sides.full_item))
    shape = (sides.pseudonyms, count)
    items = csr_array((ones, (sides.public.owner, sides.full_item)), shape=shape)
    items.data[:] = 1.0
    return items


@dataclass(frozen=True, eq=False)
class Habits:
    """Items of pseudonyms, who has them for sure, and how much each of SHARES weighs."""

    items: csr_array
    answer: MonthlyAnswers
    alive: np.ndarray
    weights: np.ndarray

    @classmethod
    def learned(cls, items: csr_array, answer: MonthlyAnswers, evidence: MonthlyEvidence) -> Habits:
        """With the weights that explain sure months best (expectation–maximization)."""
        weights = np.full(len(HABIT_SHARES), 1 / len(HABIT_SHARES))
        habits = cls(items, answer, evidence.alive, weights)
        parts = []
        for month in range(len(evidence.alive)):
            people = np.flatnonzero(answer.sure[:, month])
            parts.append(habits._ratios_by_share(month, people, answer.chosen[people, month]))
        ratios = np.concatenate(parts, axis=1)
        ratios = ratios[:, (ratios != 0).any(axis=0)]  # nothing is known of the others' habits
        for _ in range(_EM_ROUNDS if ratios.size else 0):
            logs = np.log(np.maximum(weights, 1e-12))[:, None] + ratios
            weights = np.exp(logs - logsumexp(logs, axis=0)).mean(axis=1)
        return cls(items, answer, evidence.alive, weights)

    def pairs(self, month: int, people: np.ndarray, pseudonyms: np.ndarray) -> np.ndarray:
        """The gain of each customer with the pseudonym at the same place."""
        return self._average_over_shares(self._ratios_by_share(month, people, pseudonyms))

    def gain_table(self, month: int, people: np.ndarray, pseudonyms: np.ndarray) -> np.ndarray:
        """The gain of each customer with each pseudonym."""
        own, length = self._own_item_ratios(month)
        sizes = np.diff(self.items.indptr)[pseudonyms]
        right = self.items[pseudonyms].T
        gains = []
        for share in HABIT_SHARES:
            shared = (_habit_log_ratios(own[people], share) @ right).toarray()
            gains.append(shared + _no_habit_gain(share, length[people][:, None], sizes))
        return self._average_over_shares(np.array(gains))

    def likely(
        self, month: int, people: np.ndarray, pseudonyms: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Pairs that habits speak for clearly, found in pieces to spare memory."""
        pairs_found = [(people[:0], pseudonyms[:0])]
        for start in range(0, len(people), _PIECE_PEOPLE):
            piece = people[start : start + _PIECE_PEOPLE]
            customer, name = np.nonzero(self.gain_table(month, piece, pseudonyms) > _CLEAR_GAIN)
            pairs_found.append((piece[customer], pseudonyms[name]))
        return np.concatenate([w for w, _ in pairs_found]), np.concatenate(
            [n for _, n in pairs_found]
        )

    def _average_over_shares(self, ratios: np.ndarray) -> np.ndarray:
        logs = np.log(np.maximum(self.weights, 1e-12))
        return np.asarray(logsumexp(ratios + logs.reshape(-1, *[1] * (ratios.ndim - 1)), axis=0))

    def _ratios_by_share(
        self, month: int, people: np.ndarray, pseudonyms: np.ndarray
    ) -> np.ndarray:
        """Log likelihood ratios (shares × pairs)."""
        own, length = self._own_item_ratios(month)
        common_items = csr_array(own[people].multiply(self.items[pseudonyms]))
        pair = np.repeat(np.arange(len(people)), np.diff(common_items.indptr))
        sizes = np.diff(self.items.indptr)[pseudonyms]
        ratios = []
        for share in HABIT_SHARES:
            shared = np.bincount(
                pair, _habit_log_ratios(common_items, share).data, minlength=len(people)
            )
            ratios.append(shared + _no_habit_gain(share, length[people], sizes))
        return np.array(ratios)

    def _own_item_ratios(self, month: int) -> tuple[csr_array, np.ndarray]:
        """own/all of every customer's items outside the month, and how many items that are.

        Pseudonyms that live in the month are left out everywhere: they are in question there.
        """
        sure = self.answer.sure.copy()
        sure[sure] = ~self.alive[month][self.answer.chosen[sure]]
        customer, month_index = np.nonzero(sure)
        shape = (sure.shape[0], self.items.shape[0])
        holdings = csr_array(
            (np.ones(len(customer)), (customer, self.answer.chosen[customer, month_index])),
            shape=shape,
        )
        holdings.data[:] = 1.0
        own = csr_array(holdings @ self.items)
        length = np.asarray(own.sum(axis=1)).ravel()
        item_shares = np.asarray(self.items.sum(axis=0)).ravel() / max(self.items.nnz, 1)
        scaled = csr_array(diags_array(1 / np.maximum(length, 1)) @ own)
        scaled.data = scaled.data / item_shares[scaled.indices]
        return scaled, length


def _habit_log_ratios(own: csr_array, share: float) -> csr_array:
    """log(1 + λ/(1−λ)·own/all)."""
    data = np.log1p(share / (1 - share) * own.data)
    return csr_array((data, own.indices, own.indptr), shape=own.shape)


def _no_habit_gain(share: float, length: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Every item may be none of the customer's own; nobody's habits say nothing."""
    return np.where(length > 0, np.log1p(-share) * sizes, 0.0)
