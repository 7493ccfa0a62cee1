"""How sure an attack may be of its answers: one learned model judges the answers of all attacks.

    guesses = calibrated(seen, {"S6": guess}, rng=rng)

Most attacks have no probability of their own (a sample attack is always certain, a score is no
chance). The model that the likelihood attack learns from the release gives one to any answer: that
of its own answer if both say the same, and else by what exchanging the two would cost. The truth
is not needed. Answers about customers of whom nothing is known in the month keep what the attack
said itself.

A model learned from answers believes in them, also where knowledge and release have nothing to do
with each other. So the same is learned once more from decoys, the known rows dealt out anew among
the customers of their month, of which no answer can be right. Where answers lead no further than
those about decoys, they are not believed (`Trust`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from scipy.sparse import csr_array
from scipy.special import expit

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.evidence import NOBODY, Evidence, answer_months, assign
from tokumei.pseudonyms.attackers.likelihood import learned_values
from tokumei.pseudonyms.attackers.sides import PeriodChallenge
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess
from tokumei.pseudonyms.data.rows import PeriodRows

MOST = 700.0
"""exp of more is no number."""


def calibrated(
    seen: PeriodChallenge, guesses: Mapping[str, PeriodGuess], *, rng: Randomness
) -> dict[str, PeriodGuess]:
    """The same answers of every attack with the probability that the learned model gives them."""
    values, evidence = learned_values(seen, rng=rng)
    trust = Trust.between(_leads(values, evidence, rng=rng), _decoy_leads(seen, rng=rng))
    codes = {name: one.table.codes_among(seen.public.people) for name, one in guesses.items()}
    sure = {name: one.confidence.copy() for name, one in guesses.items()}
    for month, value in enumerate(values):
        heard = np.flatnonzero(evidence.heard[month])
        if not len(heard):
            continue
        none = evidence.none[month, heard]
        judge = Judge(csr_array(value[heard]), none, rng=rng.child("judge", month))
        for name in guesses:
            said = codes[name][heard, month]
            told = np.flatnonzero(said >= 0)
            sure[name][heard, month] = 0.0
            sure[name][heard[told], month] = judge.chances(told, said[told])
            sure[name][heard[told], month] *= trust.of(judge.lead[told])
    return {name: PeriodGuess(one.table, sure[name]) for name, one in guesses.items()}


@dataclass(frozen=True, eq=False)
class Trust:
    """What share of the answers that lead so far are believed, as decoys lead as far or not.

    `nothing`: the share of answers that are like those about decoys, estimated where decoys' leads
    are below their median.
    """

    answers: np.ndarray = field(repr=False)
    decoys: np.ndarray = field(repr=False)
    nothing: float

    @classmethod
    def between(cls, answers: np.ndarray, decoys: np.ndarray) -> Trust:
        """From the leads of the best answers about customers and about decoys."""
        answers, decoys = np.sort(answers), np.sort(decoys)
        if not len(answers) or not len(decoys):
            return cls(answers, decoys, 0.0)
        low = decoys[(len(decoys) - 1) // 2]
        below = [np.searchsorted(one, low, side="right") / len(one) for one in (answers, decoys)]
        return cls(answers, decoys, min(1.0, float(below[0] / below[1])))

    def of(self, lead: np.ndarray) -> np.ndarray:
        """1 − nothing · decoys that lead at least so far / answers that do, as shares of all."""
        if not self.nothing:
            return np.ones(len(lead))
        share = [
            1 - np.searchsorted(one, lead, side="left") / len(one)
            for one in (self.decoys, self.answers)
        ]
        return np.asarray(1 - np.minimum(1.0, self.nothing * share[0] / np.maximum(share[1], 1e-9)))


def _leads(values: list[csr_array], evidence: Evidence, *, rng: Randomness) -> np.ndarray:
    """How far the best answer about every customer heard of leads, all months together."""
    found = answer_months(values, evidence, rng=rng.child("leads"))
    return np.asarray(found.lead.T[evidence.heard])


def _decoy_leads(seen: PeriodChallenge, *, rng: Randomness) -> np.ndarray:
    """The same of known rows that were dealt out anew among the customers of their month."""
    known = seen.known
    owner = known.cells["customer"].to_numpy().copy()
    month = np.where(known.kept, seen.months.of(known.days), -1)
    for one in np.unique(month[month >= 0]):
        rows = np.flatnonzero(month == one)
        owner[rows] = owner[rows[rng.child("decoys", int(one)).permutation(len(rows))]]
    dealt = PeriodRows(known.cells.with_columns(pl.Series("customer", owner)))
    decoys = PeriodChallenge(seen.public, dealt, seen.customers, seen.months)
    return _leads(*learned_values(decoys, rng=rng.child("decoys")), rng=rng)


class Judge:
    """One month's values, the best answer to them, and what others cost beside it."""

    def __init__(self, values: csr_array, none: np.ndarray, *, rng: Randomness) -> None:
        best, lead = assign(values, none, rng=rng)
        self.values, self.none, self.best, self.lead = values, none, best, lead
        entries = values.tocoo()
        keys = entries.row.astype(np.int64) * values.shape[1] + entries.col
        order = np.argsort(keys)
        self._keys, self._data = keys[order], entries.data[order]
        self._holder = np.full(values.shape[1], NOBODY)
        self._holder[best[best != NOBODY]] = np.flatnonzero(best != NOBODY)
        own = self.value(np.arange(len(best)), np.maximum(best, 0))
        self._own = np.where(best == NOBODY, none, own)

    def value(self, who: np.ndarray, name: np.ndarray) -> np.ndarray:
        """Cells; −∞ where there is no entry."""
        wanted = who.astype(np.int64) * self.values.shape[1] + name
        if not len(self._keys):
            return np.full(len(wanted), -np.inf)
        place = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return np.where(self._keys[place] == wanted, self._data[place], -np.inf)

    def chances(self, who: np.ndarray, name: np.ndarray) -> np.ndarray:
        """The probability that each customer has the pseudonym named.

        The best answer has its own; another one exp(−cost) of it, the cost being that of the two
        customers' exchange (the other gets the first one's pseudonym, or none).
        """
        holder = self._holder[name]
        mine = self.best[who] == name
        turn = self.value(np.maximum(holder, 0), np.maximum(self.best[who], 0))
        turn = np.where(self.best[who] == NOBODY, -np.inf, turn)
        loses = self._own[holder] - np.maximum(turn, self.none[holder])
        cost = self._own[who] - self.value(who, name) + np.where(holder == NOBODY, 0.0, loses)
        ratio = np.exp(-np.clip(cost, 0.0, MOST))
        sure = expit(self.lead[who])
        at_best = np.where(self.best[who] == NOBODY, 1 / (1 + ratio), sure)
        return np.asarray(np.where(mine, sure, np.minimum(at_best * ratio, 1 - sure)))
