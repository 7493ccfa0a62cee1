"""The likelihood attack: finds the pseudonyms that best explain customers' known rows.

Three rounds: gains of all customers and pseudonyms, an assignment for each month (`assignment.py`),
and from its sure pairs a better model of the release's noise (`noise_model.py`). Then the
customers' habits (`habits.py`) speak for the doubtful months. A month of which nothing is known is
given away only where one customer is the pseudonym with a probability above `hidden`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.kernels.match_likelihood import MatchRates, MonthRows, find_gains
from tokumei.pseudonyms.attackers.assignment import (
    NOBODY,
    CrossMonthValues,
    MonthlyAnswers,
    MonthlyEvidence,
    answer_months,
    link_other_months,
)
from tokumei.pseudonyms.attackers.challenge import (
    ChallengeAttacker,
    PeriodChallenge,
    PublicAndKnownRows,
    SideRows,
)
from tokumei.pseudonyms.attackers.habits import Habits, pseudonym_items
from tokumei.pseudonyms.attackers.noise_model import NoiseModel, month_rows, row_weights
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows

LEARNING_ROUNDS, HABIT_ROUNDS = 3, 2
FEW_ROWS = 10
"""Known rows of each customer that choose the pseudonyms to look at closely."""


@dataclass(frozen=True)
class Likelihood(ChallengeAttacker):
    """Row likelihoods learned from the release itself, assigned one-to-one, with habits."""

    name: ClassVar[str] = "likelihood"
    title: ClassVar[Message] = Message("Likelihood of all rows")
    sentence: ClassVar[Message] = Message(
        "Finds the pseudonyms that explain a customer's known rows best, and learns the noise on "
        "the way."
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    hidden: float = 0.6

    def answer(self, challenge: PeriodChallenge, *, rng: Randomness) -> PeriodGuess:
        """The pseudonyms that explain the known rows best."""
        learned, habits = _learn_with_habits(challenge, rng)
        # First of customers of whom something is known in the month.
        chosen = np.where(learned.evidence.heard.T, learned.answer.chosen, NOBODY)
        confidence = np.where(chosen != NOBODY, expit(learned.answer.lead), 0.0)
        self._assign_unheard_customers(learned, habits, chosen, confidence)
        return challenge.guess(chosen, confidence)

    def _assign_unheard_customers(
        self, learned: LearnedModel, habits: Habits, chosen: np.ndarray, confidence: np.ndarray
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
            score = habits.gain_table(month, people, names)
            score += learned.linked.value_table(month, people, names)
            # Of somebody heard of elsewhere, some of the rows would be known.
            silence = np.log1p(-learned.model.rates.known) * evidence.rows[month, names]
            elsewhere = np.asarray(evidence.heard.any(axis=0))[people]
            score += np.outer(elsewhere, silence)
            chance = _pseudonym_chances(score)
            customer_index, name = chance.argmax(axis=0), np.arange(len(names))
            likely = chance[customer_index, name] > np.maximum(
                self.hidden, chance[customer_index].max(axis=1) - 1e-12
            )
            customer_index, name = customer_index[likely], name[likely]
            chosen[people[customer_index], month] = names[name]
            confidence[people[customer_index], month] = chance[customer_index, name]


def learn_monthly_values(
    challenge: PeriodChallenge, *, rng: Randomness
) -> tuple[list[csr_array], MonthlyEvidence]:
    """What speaks for every customer being every pseudonym, by month, after all is learned."""
    learned, habits = _learn_with_habits(challenge, rng)
    months = range(len(learned.evidence.alive))
    return [_add_habits(learned, habits, month) for month in months], learned.evidence


def _learn_with_habits(challenge: PeriodChallenge, rng: Randomness) -> tuple[LearnedModel, Habits]:
    """Learn the model in rounds, then buying habits from its answers, and answer again."""
    sides = challenge.sides()
    learned = learn_model(sides, estimate_rates(challenge.public, challenge.known), rng=rng)
    items = pseudonym_items(sides)
    for _ in range(HABIT_ROUNDS):
        habits = Habits.learned(items, learned.answer, learned.evidence)
        values = [_add_habits(learned, habits, month) for month in range(sides.months)]
        answer = answer_months(values, learned.evidence, rng=rng)
        learned = replace(learned, answer=answer)
    return learned, Habits.learned(items, learned.answer, learned.evidence)


def estimate_rates(public: PeriodRows, known: PeriodRows) -> MatchRates:
    """Shares known and deleted as far as the files tell: T_α has a line for every row of T."""
    known_rows = int(known.kept.sum())
    if known.rows >= public.rows:
        return MatchRates(known_rows / max(known.rows, 1), 1 - public.rows / max(known.rows, 1))
    return MatchRates(known_rows / public.rows, 0.1)


def _add_habits(learned: LearnedModel, habits: Habits, month: int) -> csr_array:
    """The month's values with habits; pairs without an entry come in if habits speak for them.

    So do customers and pseudonyms that were both left over.
    """
    values = learned.linked.values[month]
    entries = values.tocoo()
    people = np.flatnonzero(learned.evidence.heard[month])
    alive = np.flatnonzero(learned.evidence.alive[month])
    customer, name = habits.likely(month, people, alive)
    chosen = learned.answer.chosen[:, month]
    idle, free = people[chosen[people] == NOBODY], np.setdiff1d(alive, chosen)
    customer = np.append(customer, np.repeat(idle, len(free)))
    name = np.append(name, np.tile(free, len(idle)))
    row, column = np.append(entries.row, customer), np.append(entries.col, name)
    _, first = np.unique(row.astype(np.int64) * values.shape[1] + column, return_index=True)
    value = np.append(entries.data, learned.linked.others[month, name])[first]
    row, column = row[first], column[first]
    value = value + habits.pairs(month, row, column)
    return csr_array((value, (row, column)), shape=values.shape)


def _pseudonym_chances(score: np.ndarray) -> np.ndarray:
    """Who each pseudonym is: customers not heard of, or a stranger."""
    top = np.maximum(score.max(axis=0), 0.0)
    weight = np.exp(score - top)
    return np.asarray(weight / (weight.sum(axis=0) + np.exp(-top)))


@dataclass(frozen=True, eq=False)
class LearnedModel:
    """The last round: gains alone, with other months, the answer they give, and the model."""

    evidence: MonthlyEvidence
    linked: CrossMonthValues
    answer: MonthlyAnswers
    model: NoiseModel


def learn_model(sides: PublicAndKnownRows, rates: MatchRates, *, rng: Randomness) -> LearnedModel:
    """Three rounds; the first looks at a few rows of everybody only."""
    months = {
        month: month_rows(sides, month)
        for month in range(sides.months)
        if _has_both_sides(sides, month)
    }
    model = NoiseModel.start(rates)
    learned_round = _learning_round(sides, months, model, exact=False, rng=rng)
    for _ in range(LEARNING_ROUNDS - 1):
        model = model.learned(sides, months, _sure_group_pairs(sides, learned_round.answer)).told(
            rates
        )
        learned_round = _learning_round(sides, months, model, exact=True, rng=rng)
    return learned_round


def _has_both_sides(sides: PublicAndKnownRows, month: int) -> bool:
    """Whether there is anything to compare."""
    rows = sides.known.rows_of_month(month), sides.public.rows_of_month(month)
    return all(part.stop > part.start for part in rows)


def _learning_round(
    sides: PublicAndKnownRows,
    months: Mapping[int, MonthRows],
    model: NoiseModel,
    *,
    exact: bool,
    rng: Randomness,
) -> LearnedModel:
    gains = [
        _month_gains(sides, months.get(month), month, model, exact) for month in range(sides.months)
    ]
    rows, heard = (
        _count_rows(sides.public, sides.pseudonyms),
        _count_rows(sides.known, sides.people) > 0,
    )
    none = np.array(
        [_no_pseudonym_values(sides, month, model.rates) for month in range(sides.months)]
    )
    evidence = MonthlyEvidence(gains, rows, heard, none)
    answer = answer_months(gains, evidence, rng=rng)
    linked = link_other_months(evidence, answer)
    if linked.values is not gains:
        answer = answer_months(linked.values, evidence, rng=rng)
    return LearnedModel(evidence, linked, answer, model)


def _month_gains(
    sides: PublicAndKnownRows, rows: MonthRows | None, month: int, model: NoiseModel, exact: bool
) -> csr_array:
    """One month's gains, customers × pseudonyms."""
    shape = (sides.people, sides.pseudonyms)
    if rows is None:
        return csr_array(shape)
    weights = row_weights(rows, model.shares, model.same_item)
    best, gain = find_gains(weights, rows, model.rates, FEW_ROWS, exact)
    customers = sides.known.group_owner[sides.known.groups(month)]
    name = sides.public.group_owner[sides.public.groups(month)]
    people = np.repeat(customers, best.shape[1])
    return csr_array((gain.ravel(), (people, name[best].ravel())), shape=shape)


def _no_pseudonym_values(sides: PublicAndKnownRows, month: int, rates: MatchRates) -> np.ndarray:
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


def _count_rows(side: SideRows, owners: int) -> np.ndarray:
    """How many rows each owner has in each month (months × owners)."""
    counts = np.bincount(side.month * owners + side.owner, minlength=side.months * owners)
    return counts.reshape(side.months, owners)


def _sure_group_pairs(sides: PublicAndKnownRows, answer: MonthlyAnswers) -> np.ndarray:
    """Month, known group and public group of the sure answers about customers heard of."""
    customer, month = np.nonzero(answer.sure)
    name = answer.chosen[customer, month]
    known, heard = _find_groups(sides.known, month, customer, sides.people)
    public, _ = _find_groups(sides.public, month, name, sides.pseudonyms)
    return np.asarray(np.column_stack([month, known, public])[heard])


def _find_groups(
    side: SideRows, month: np.ndarray, owner: np.ndarray, owners: int
) -> tuple[np.ndarray, np.ndarray]:
    """The groups of these owners in these months, and whether there is one."""
    keys = side.month[side.start[:-1]] * owners + side.group_owner
    wanted_keys = month * owners + owner
    place = np.minimum(np.searchsorted(keys, wanted_keys), len(keys) - 1)
    return place, keys[place] == wanted_keys
