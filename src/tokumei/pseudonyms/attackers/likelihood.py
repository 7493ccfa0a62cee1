"""The likelihood attack: which pseudonym explains a customer's known rows best, all together.

Three rounds: gains of all customers and pseudonyms, an assignment for each month (`evidence`), and
from its sure pairs a better model of the release's noise (`mixture`). Then the customers' habits
(`habits`) speak for the doubtful months. A month of which nothing is known is given away only
where one customer is the pseudonym with a probability above `hidden`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.kernels.evidence import MonthRows, Rates, find_gains
from tokumei.pseudonyms.attackers.evidence import (
    NOBODY,
    Answer,
    Evidence,
    Linked,
    answer_months,
    other_months,
)
from tokumei.pseudonyms.attackers.habits import Habits, bought_items
from tokumei.pseudonyms.attackers.mixture import Model, month_rows, row_weights
from tokumei.pseudonyms.attackers.sides import ChallengeAttacker, PeriodChallenge, Side, Sides
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess
from tokumei.pseudonyms.data.rows import PeriodRows

ROUNDS, HABIT_ROUNDS = 3, 2
FEW_ROWS = 10
"""Known rows of each customer that choose the pseudonyms to look at closely."""


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
        # First of customers of whom something is known in the month.
        chosen = np.where(learned.evidence.heard.T, learned.answer.chosen, NOBODY)
        confidence = np.where(chosen != NOBODY, expit(learned.answer.lead), 0.0)
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
    """What the rounds give, then answers with habits, learned from the answers before."""
    sides = seen.sides()
    learned = learn(sides, first_rates(seen.public, seen.known), rng=rng)
    items = bought_items(sides)
    for _ in range(HABIT_ROUNDS):
        habits = Habits.learned(items, learned.answer, learned.evidence)
        values = [_added(learned, habits, month) for month in range(sides.months)]
        answer = answer_months(values, learned.evidence, rng=rng)
        learned = replace(learned, answer=answer)
    return learned, Habits.learned(items, learned.answer, learned.evidence)


def first_rates(public: PeriodRows, known: PeriodRows) -> Rates:
    """Shares known and deleted as far as the files tell: T_α has a line for every row of T."""
    told = int(known.kept.sum())
    if known.rows >= public.rows:
        return Rates(told / max(known.rows, 1), 1 - public.rows / max(known.rows, 1))
    return Rates(told / public.rows, 0.1)


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


def _chances(score: np.ndarray) -> np.ndarray:
    """Who each pseudonym is: customers not heard of, or a stranger."""
    top = np.maximum(score.max(axis=0), 0.0)
    weight = np.exp(score - top)
    return np.asarray(weight / (weight.sum(axis=0) + np.exp(-top)))


@dataclass(frozen=True, eq=False)
class Learned:
    """The last round: gains alone, with other months, the answer they give, and the model."""

    evidence: Evidence
    linked: Linked
    answer: Answer
    model: Model


def learn(sides: Sides, rates: Rates, *, rng: Randomness) -> Learned:
    """Three rounds; the first looks at a few rows of everybody only."""
    months = {
        month: month_rows(sides, month) for month in range(sides.months) if _both(sides, month)
    }
    model = Model.start(rates)
    found = _round(sides, months, model, exact=False, rng=rng)
    for _ in range(ROUNDS - 1):
        model = model.learned(sides, months, _sure_pairs(sides, found.answer)).told(rates)
        found = _round(sides, months, model, exact=True, rng=rng)
    return found


def _both(sides: Sides, month: int) -> bool:
    """Whether there is anything to compare."""
    rows = sides.known.rows(month), sides.public.rows(month)
    return all(part.stop > part.start for part in rows)


def _round(
    sides: Sides, months: Mapping[int, MonthRows], model: Model, *, exact: bool, rng: Randomness
) -> Learned:
    gains = [_gains(sides, months.get(month), month, model, exact) for month in range(sides.months)]
    rows, heard = _rows(sides.public, sides.pseudonyms), _rows(sides.known, sides.people) > 0
    none = np.array([_none(sides, month, model.rates) for month in range(sides.months)])
    evidence = Evidence(gains, rows, heard, none)
    answer = answer_months(gains, evidence, rng=rng)
    linked = other_months(evidence, answer)
    if linked.values is not gains:
        answer = answer_months(linked.values, evidence, rng=rng)
    return Learned(evidence, linked, answer, model)


def _gains(
    sides: Sides, rows: MonthRows | None, month: int, model: Model, exact: bool
) -> csr_array:
    """One month's gains, customers × pseudonyms."""
    shape = (sides.people, sides.pseudonyms)
    if rows is None:
        return csr_array(shape)
    weights = row_weights(rows, model.shares, model.same_item)
    best, gain = find_gains(weights, rows, model.rates, FEW_ROWS, exact)
    who = sides.known.group_owner[sides.known.groups(month)]
    name = sides.public.group_owner[sides.public.groups(month)]
    people = np.repeat(who, best.shape[1])
    return csr_array((gain.ravel(), (people, name[best].ravel())), shape=shape)


def _none(sides: Sides, month: int, rates: Rates) -> np.ndarray:
    """What it counts to have no pseudonym: the rows not known are all deleted like the known ones.

    That is against being any of the pseudonyms that the customers heard of leave free.
    """
    groups = sides.known.groups(month)
    rows = np.diff(sides.known.start[groups.start : groups.stop + 1])
    unknown = rows * (1 - rates.known) / rates.known
    pseudonyms = sides.public.groups(month)
    none = np.zeros(sides.people)
    free = max(pseudonyms.stop - pseudonyms.start - len(rows), 0)
    none[sides.known.group_owner[groups]] = np.log(free + 1) + unknown * np.log(rates.deleted)
    return none


def _rows(side: Side, owners: int) -> np.ndarray:
    """How many rows each owner has in each month (months × owners)."""
    counts = np.bincount(side.month * owners + side.owner, minlength=side.months * owners)
    return counts.reshape(side.months, owners)


def _sure_pairs(sides: Sides, answer: Answer) -> np.ndarray:
    """Month, known group and public group of the sure answers about customers heard of."""
    who, month = np.nonzero(answer.sure)
    name = answer.chosen[who, month]
    known, heard = _find_group(sides.known, month, who, sides.people)
    public, _ = _find_group(sides.public, month, name, sides.pseudonyms)
    return np.asarray(np.column_stack([month, known, public])[heard])


def _find_group(
    side: Side, month: np.ndarray, owner: np.ndarray, owners: int
) -> tuple[np.ndarray, np.ndarray]:
    """The groups of these owners in these months, and whether there is one."""
    keys = side.month[side.start[:-1]] * owners + side.group_owner
    wanted = month * owners + owner
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return place, keys[place] == wanted
