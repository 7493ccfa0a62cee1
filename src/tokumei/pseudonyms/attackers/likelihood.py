"""The likelihood attack: which pseudonym explains a customer's known rows best, all together.

    Likelihood().attack(public, known, customers=customers, months=months, rng=rng)

Three rounds (`learning`): gains of all customers and pseudonyms (`gains`), an assignment for
each month, and from its sure pairs the release's noise (`mixture`). Then the customers' habits
(`habits`) speak for the doubtful months. A month of which nothing is known is given away only
where one customer is the pseudonym with a probability above `hidden`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.kernels.evidence import Rates
from tokumei.pseudonyms.attackers.evidence import NOBODY, Evidence, answer_months
from tokumei.pseudonyms.attackers.habits import Habits, bought_items
from tokumei.pseudonyms.attackers.learning import Learned, learn
from tokumei.pseudonyms.attackers.sides import ChallengeAttacker, PeriodChallenge, Sides
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess
from tokumei.pseudonyms.data.rows import PeriodRows

HABIT_ROUNDS = 2


@dataclass(frozen=True)
class Likelihood(ChallengeAttacker):
    """Row likelihoods learned from the release itself, assigned one-to-one, with habits."""

    name: ClassVar[str] = "likelihood"
    title: ClassVar[Text] = Text("Likelihood of all rows", "全行の尤度")
    sentence: ClassVar[Text] = Text(
        "Finds the pseudonyms that explain a customer's known rows best, and learns the noise on "
        "the way.",
        "加えられたノイズを学習しながら、顧客の既知の行を最もよく説明する仮名を求めます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    hidden: float = 0.6

    def answer(self, seen: PeriodChallenge, *, rng: Randomness) -> PeriodGuess:
        """The pseudonyms that explain the known rows best."""
        learned, habits = _learned(seen, rng)
        chosen, confidence = _heard(learned)
        self._add_hidden(learned, habits, chosen, confidence)
        return seen.guess(chosen, confidence)

    def _add_hidden(
        self, learned: Learned, habits: Habits, chosen: np.ndarray, confidence: np.ndarray
    ) -> None:
        """Give free pseudonyms to customers not heard of in the month, where that is likely."""
        evidence = learned.evidence
        for month in range(len(evidence.alive)):
            people = np.flatnonzero(~evidence.heard[month])
            free = evidence.alive[month].copy()
            free[chosen[chosen[:, month] != NOBODY, month]] = False
            names = np.flatnonzero(free)
            if not len(people) or not len(names):
                continue
            score = habits.table(month, people, names)
            score += learned.linked.table(month, people, names)
            # Of somebody heard of elsewhere, some of the rows would be known.
            silence = np.log1p(-learned.model.rates.known) * evidence.rows[month, names]
            elsewhere = np.asarray(evidence.heard.any(axis=0))[people]
            score += np.outer(elsewhere, silence)
            chance = _chances(score)
            who, name = chance.argmax(axis=0), np.arange(len(names))
            likely = chance[who, name] > np.maximum(self.hidden, chance[who].max(axis=1) - 1e-12)
            who, name = who[likely], name[likely]
            chosen[people[who], month] = names[name]
            confidence[people[who], month] = chance[who, name]


def learned_values(seen: PeriodChallenge, *, rng: Randomness) -> tuple[list[csr_array], Evidence]:
    """What speaks for every customer being every pseudonym, by month, after all is learned."""
    learned, habits = _learned(seen, rng)
    months = range(len(learned.evidence.alive))
    return [_added(learned, habits, month) for month in months], learned.evidence


def _learned(seen: PeriodChallenge, rng: Randomness) -> tuple[Learned, Habits]:
    sides = seen.sides()
    learned = learn(sides, first_rates(seen.public, seen.known), rng=rng)
    return _with_habits(sides, learned, rng)


def first_rates(public: PeriodRows, known: PeriodRows) -> Rates:
    """Shares known and deleted as far as the files tell: T_α has a line for every row of T."""
    told = int(known.kept.sum())
    if known.rows >= public.rows:
        return Rates(told / max(known.rows, 1), 1 - public.rows / max(known.rows, 1))
    return Rates(told / public.rows, 0.1)


def _with_habits(sides: Sides, learned: Learned, rng: Randomness) -> tuple[Learned, Habits]:
    """Answers with habits, learned from the answers before."""
    items = bought_items(sides)
    for _ in range(HABIT_ROUNDS):
        habits = Habits.learned(items, learned.answer, learned.evidence)
        values = [_added(learned, habits, month) for month in range(sides.months)]
        answer = answer_months(values, learned.evidence, rng=rng)
        learned = replace(learned, answer=answer)
    return learned, Habits.learned(items, learned.answer, learned.evidence)


def _added(learned: Learned, habits: Habits, month: int) -> csr_array:
    """The month's values with habits; pairs without an entry come in if habits speak for them.

    So do customers and pseudonyms that were both left over.
    """
    values = learned.linked.values[month]
    entries = values.tocoo()
    people = np.flatnonzero(learned.evidence.heard[month])
    alive = np.flatnonzero(learned.evidence.alive[month])
    who, name = habits.likely(month, people, alive)
    chosen = learned.answer.chosen[:, month]
    idle, free = people[chosen[people] == NOBODY], np.setdiff1d(alive, chosen)
    who = np.append(who, np.repeat(idle, len(free)))
    name = np.append(name, np.tile(free, len(idle)))
    row, column = np.append(entries.row, who), np.append(entries.col, name)
    _, first = np.unique(row.astype(np.int64) * values.shape[1] + column, return_index=True)
    value = np.append(entries.data, learned.linked.others[month, name])[first]
    row, column = row[first], column[first]
    value = value + habits.pairs(month, row, column)
    return csr_array((value, (row, column)), shape=values.shape)


def _heard(learned: Learned) -> tuple[np.ndarray, np.ndarray]:
    """Answers about customers of whom something is known in the month, and their probability."""
    answer = learned.answer
    chosen = np.where(learned.evidence.heard.T, answer.chosen, NOBODY)
    return chosen, np.where(chosen != NOBODY, expit(answer.lead), 0.0)


def _chances(score: np.ndarray) -> np.ndarray:
    """Who each pseudonym is: customers not heard of, or a stranger."""
    top = np.maximum(score.max(axis=0), 0.0)
    weight = np.exp(score - top)
    return np.asarray(weight / (weight.sum(axis=0) + np.exp(-top)))
