"""Calibrates the confidence of all attacks with one learned model.

    guesses = calibrate_guesses(seen, {"S6": guess}, rng=rng)

Most attacks have no probability of their own (a sample attack is always certain, a score is no
chance). The model that the likelihood attack learns from the release gives one to any answer: that
of its own answer if both say the same, and else by what exchanging the two would cost. The truth
is not needed. Answers about customers of whom nothing is known in the month keep what the attack
said itself.

A model learned from answers believes in them, also where knowledge and release have nothing to do
with each other. So the same is learned once more from decoys, the known rows dealt out anew among
the customers of their month, of which no answer can be right. Where answers lead no further than
those about decoys, they are not believed (`DecoyTrust`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from scipy.sparse import csr_array
from scipy.special import expit

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.assignment import (
    NOBODY,
    MonthlyEvidence,
    answer_months,
    assign_pseudonyms,
)
from tokumei.pseudonyms.attackers.challenge import PeriodChallenge
from tokumei.pseudonyms.attackers.likelihood import learn_monthly_values
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows

MAX_EXPONENT = 700.0
"""exp of more is no number."""


def calibrate_guesses(
    challenge: PeriodChallenge, guesses: Mapping[str, PeriodGuess], *, rng: Randomness
) -> dict[str, PeriodGuess]:
    """Replace the confidence of every answer by the probability under the learned model."""
    values, evidence = learn_monthly_values(challenge, rng=rng)
    trust = DecoyTrust.between(
        _best_answer_leads(values, evidence, rng=rng), _decoy_leads(challenge, rng=rng)
    )
    codes = {
        name: guess.table.codes_among(challenge.public.people) for name, guess in guesses.items()
    }
    confidence = {name: guess.confidence.copy() for name, guess in guesses.items()}
    for month, value in enumerate(values):
        heard = np.flatnonzero(evidence.heard[month])
        if not len(heard):
            continue
        no_pseudonym = evidence.none[month, heard]
        judge = MonthlyAnswerOdds(
            csr_array(value[heard]), no_pseudonym, rng=rng.child("judge", month)
        )
        for name in guesses:
            named = codes[name][heard, month]
            answered = np.flatnonzero(named >= 0)
            confidence[name][heard, month] = 0.0
            confidence[name][heard[answered], month] = judge.chances(answered, named[answered])
            confidence[name][heard[answered], month] *= trust.of(judge.lead[answered])
    return {name: PeriodGuess(guess.table, confidence[name]) for name, guess in guesses.items()}


@dataclass(frozen=True, eq=False)
class DecoyTrust:
    """What share of the answers that lead so far are believed, as decoys lead as far or not.

    `nothing`: the share of answers that are like those about decoys, estimated where decoys' leads
    are below their median.
    """

    answers: np.ndarray = field(repr=False)
    decoys: np.ndarray = field(repr=False)
    nothing: float

    @classmethod
    def between(cls, answers: np.ndarray, decoys: np.ndarray) -> DecoyTrust:
        """From the leads of the best answers about customers and about decoys."""
        answers, decoys = np.sort(answers), np.sort(decoys)
        if not len(answers) or not len(decoys):
            return cls(answers, decoys, 0.0)
        low = decoys[(len(decoys) - 1) // 2]
        below = [
            np.searchsorted(sorted_leads, low, side="right") / len(sorted_leads)
            for sorted_leads in (answers, decoys)
        ]
        return cls(answers, decoys, min(1.0, float(below[0] / below[1])))

    def of(self, lead: np.ndarray) -> np.ndarray:
        """1 − nothing · decoys that lead at least so far / answers that do, as shares of all."""
        if not self.nothing:
            return np.ones(len(lead))
        share = [
            1 - np.searchsorted(sorted_leads, lead, side="left") / len(sorted_leads)
            for sorted_leads in (self.decoys, self.answers)
        ]
        return np.asarray(1 - np.minimum(1.0, self.nothing * share[0] / np.maximum(share[1], 1e-9)))


def _best_answer_leads(
    values: list[csr_array], evidence: MonthlyEvidence, *, rng: Randomness
) -> np.ndarray:
    """How far the best answer about every customer heard of leads, all months together."""
    answers = answer_months(values, evidence, rng=rng.child("leads"))
    return np.asarray(answers.lead.T[evidence.heard])


def _decoy_leads(challenge: PeriodChallenge, *, rng: Randomness) -> np.ndarray:
    """The same of known rows that were dealt out anew among the customers of their month."""
    known = challenge.known
    owner = known.cells["customer"].to_numpy().copy()
    month = np.where(known.kept, challenge.months.of(known.days), -1)
    for month_number in np.unique(month[month >= 0]):
        rows = np.flatnonzero(month == month_number)
        owner[rows] = owner[rows[rng.child("decoys", int(month_number)).permutation(len(rows))]]
    decoy_rows = PeriodRows(known.cells.with_columns(pl.Series("customer", owner)))
    decoys = PeriodChallenge(challenge.public, decoy_rows, challenge.customers, challenge.months)
    return _best_answer_leads(*learn_monthly_values(decoys, rng=rng.child("decoys")), rng=rng)


class MonthlyAnswerOdds:
    """One month's values, the best answer to them, and what others cost beside it."""

    def __init__(self, values: csr_array, none: np.ndarray, *, rng: Randomness) -> None:
        best, lead = assign_pseudonyms(values, none, rng=rng)
        self.values, self.none, self.best, self.lead = values, none, best, lead
        entries = values.tocoo()
        keys = entries.row.astype(np.int64) * values.shape[1] + entries.col
        order = np.argsort(keys)
        self._entry_keys, self._entry_values = keys[order], entries.data[order]
        self._pseudonym_holder = np.full(values.shape[1], NOBODY)
        self._pseudonym_holder[best[best != NOBODY]] = np.flatnonzero(best != NOBODY)
        best_values = self.value(np.arange(len(best)), np.maximum(best, 0))
        self._best_values = np.where(best == NOBODY, none, best_values)

    def value(self, customer: np.ndarray, name: np.ndarray) -> np.ndarray:
        """Cells; −∞ where there is no entry."""
        wanted_keys = customer.astype(np.int64) * self.values.shape[1] + name
        if not len(self._entry_keys):
            return np.full(len(wanted_keys), -np.inf)
        place = np.minimum(
            np.searchsorted(self._entry_keys, wanted_keys), len(self._entry_keys) - 1
        )
        return np.where(self._entry_keys[place] == wanted_keys, self._entry_values[place], -np.inf)

    def chances(self, customer: np.ndarray, name: np.ndarray) -> np.ndarray:
        """The probability that each customer has the pseudonym named.

        The best answer has its own; another one exp(−cost) of it, the cost being that of the two
        customers' exchange (the other gets the first one's pseudonym, or none).
        """
        holder = self._pseudonym_holder[name]
        is_best = self.best[customer] == name
        return_value = self.value(np.maximum(holder, 0), np.maximum(self.best[customer], 0))
        return_value = np.where(self.best[customer] == NOBODY, -np.inf, return_value)
        holder_loss = self._best_values[holder] - np.maximum(return_value, self.none[holder])
        cost = (
            self._best_values[customer]
            - self.value(customer, name)
            + np.where(holder == NOBODY, 0.0, holder_loss)
        )
        ratio = np.exp(-np.clip(cost, 0.0, MAX_EXPONENT))
        best_chance = expit(self.lead[customer])
        at_best = np.where(self.best[customer] == NOBODY, 1 / (1 + ratio), best_chance)
        return np.asarray(
            np.where(is_best, best_chance, np.minimum(at_best * ratio, 1 - best_chance))
        )
