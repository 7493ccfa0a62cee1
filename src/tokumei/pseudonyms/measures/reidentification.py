"""Safety: share of the secret pseudonym table that a guess found.

    claims = Answers.of_table(guess, truth)     # or Answers.of_map: h(period, pseudonym) → customer
    scores = reid_scores(claims)
    scores["reid_all"].value, scores["reid_all"].baseline

    reid_pairs   hits / (L · n), the paper's; DEL guessed for DEL is no hit
    reid_active  hits / active pairs, those with a pseudonym
    reid_all     customers whose whole row, DEL included, is right / n: the judge's
    reid_rows    rows of S given to the right customer / |S|

A map may name one customer for several pseudonyms of a period, which the contest's table cannot
say; both become the same list of claims. Every rate has what chance reaches (`random_baselines`)
and a Wilson interval over the customers with a pseudonym (`reid_all`: over all), since the cells of
one are found or missed together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from tokumei.core.attack_rates import wilson
from tokumei.core.errors import InputError
from tokumei.core.fields import field_name
from tokumei.core.generalized_cells import positions_in
from tokumei.core.measure import Score
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import Months, PeriodRows


@dataclass(frozen=True, eq=False)
class GuessClaims:
    """Period (from 0), customer and pseudonym as places in the truth; -2 for a pseudonym not there.

    Customers that are not in the truth are not claims about anybody and are left out.
    """

    truth: PseudonymTable = field(repr=False)
    period: np.ndarray = field(repr=False)
    customer: np.ndarray = field(repr=False)
    pseudonym: np.ndarray = field(repr=False)

    def __post_init__(self) -> None:
        customers = self.truth.customers
        if not len(customers) or customers.is_duplicated().any():
            raise InputError("the secret table must have customers, each once")

    @classmethod
    def of_table(cls, guess: PseudonymTable, truth: PseudonymTable) -> GuessClaims:
        """The claims of a guessed table with the truth's customers (in any order) and periods."""
        customer_places = positions_in(guess.customers, truth.customers)
        if sorted(customer_places.tolist()) != list(range(len(truth.customers))):
            raise InputError("the guess must have every customer of the secret table once")
        if guess.periods != truth.periods:
            raise InputError(
                "the guess has {periods} periods, the secret table {truth_periods}",
                periods=guess.periods,
                truth_periods=truth.periods,
            )
        codes = guess.codes_among(truth.pseudonyms)
        row, period = np.nonzero(guess.codes >= 0)
        return cls(truth, period, customer_places[row], codes[row, period])

    @classmethod
    def of_map(cls, answers: pl.DataFrame, truth: PseudonymTable) -> GuessClaims:
        """The claims of a map: period (1 the first), pseudonym, customer; each key once."""
        if answers.select("period", "pseudonym").is_duplicated().any():
            raise InputError("a pseudonym has two customers in one period")
        period = answers["period"].cast(pl.Int64).to_numpy() - 1
        customer = positions_in(answers["customer"], truth.customers)
        pseudonym = positions_in(answers["pseudonym"], truth.pseudonyms)
        is_known = (customer >= 0) & (period >= 0) & (period < truth.periods)
        pseudonym_codes = np.where(pseudonym < 0, -2, pseudonym)
        return cls(truth, period[is_known], customer[is_known], pseudonym_codes[is_known])

    @cached_property
    def right(self) -> np.ndarray:
        """Which claims are true."""
        return np.asarray(self.truth.codes[self.customer, self.period] == self.pseudonym)

    @property
    def hits(self) -> int:
        """How many (period, customer) pairs are found."""
        return int(self.right.sum())

    @cached_property
    def is_wholly_right(self) -> np.ndarray:
        """The customers whose pseudonyms are all found and of whom nothing else is claimed."""
        people = len(self.truth.customers)
        right_counts = np.bincount(self.customer[self.right], minlength=people)
        claimed = np.bincount(self.customer, minlength=people)
        true_counts = (self.truth.codes >= 0).sum(axis=1)
        return np.asarray((right_counts == true_counts) & (claimed == true_counts))

    def count_right_rows(self, period: np.ndarray, pseudonym: np.ndarray) -> float:
        """How many of the given public rows go to the right customer.

        Where several customers claim one pseudonym, each gets an equal part of its rows.
        """
        places = (self.truth.periods, len(self.truth.pseudonyms))
        rows, claims = np.zeros(places), np.zeros(places)
        known = (period >= 0) & (pseudonym >= 0)
        np.add.at(rows, (period[known], pseudonym[known]), 1)
        is_named = self.pseudonym >= 0
        np.add.at(claims, (self.period[is_named], self.pseudonym[is_named]), 1)
        right_cells = (self.period[self.right], self.pseudonym[self.right])
        return float((rows[right_cells] / claims[right_cells]).sum())


def reid_scores(
    claims: GuessClaims, *, public: PeriodRows | None = None, months: Months | None = None
) -> dict[str, Score]:
    """All rates of a guess; `reid_rows` with the public rows (S) and their months."""
    truth = claims.truth
    has_pseudonym = truth.codes >= 0
    people, active, owners = (
        len(has_pseudonym),
        int(has_pseudonym.sum()),
        int(has_pseudonym.any(axis=1).sum()),
    )
    parts: dict[str, _HitRate] = {
        "reid_pairs": _HitRate(claims.hits, has_pseudonym.size, owners, active),
        "reid_active": _HitRate(claims.hits, active, owners, active),
        "reid_all": _HitRate(int(claims.is_wholly_right.sum()), people, people, people),
    }
    if public is not None:
        months = match_public_months(public, truth, months)
        pseudonym = positions_in(public.cells["customer"], truth.pseudonyms)
        right = claims.count_right_rows(months.of(public.days), pseudonym)
        parts["reid_rows"] = _HitRate(right, public.rows, owners, public.rows)
    chance = random_baselines(truth)
    return {name: part.score(chance[name]) for name, part in parts.items()}


@dataclass(frozen=True)
class _HitRate:
    """`hits` of `possible`, told as a share of `of`; people, not their cells, are independent."""

    hits: float
    of: int
    people: int
    possible: int

    def score(self, baseline: float) -> Score:
        """The share, with the interval that so many people allow."""
        rate = self.hits / self.possible if self.possible else 0.0
        low, high = wilson(rate * self.people, self.people)
        possible_share = self.possible / self.of if self.of else 1.0
        value = self.hits / self.of if self.of else 0.0
        return Score(value, low * possible_share, high * possible_share, baseline, self.of)


def random_baselines(truth: PseudonymTable) -> dict[str, float]:
    """What dealing out the rows of the table to the n customers at random reaches on average.

    Periods that share a pseudonym, directly or through others, are dealt together, each such block
    on its own. A customer has the own row with 1/n, so that 1/n of the active pairs and of the
    rows are right; a whole table row is right with the product over blocks of the share of
    customers who have the same row there (which matters for those without any pseudonym).
    """
    people = len(truth.customers)
    active = (truth.codes >= 0).mean() if truth.codes.size else 0.0
    whole = np.ones(people)
    for block in linked_periods(truth):
        rows, which = np.unique(truth.codes[:, block], axis=0, return_inverse=True)
        same = np.bincount(which.ravel(), minlength=len(rows))[which.ravel()]
        whole *= same / people
    return {
        "reid_pairs": float(active) / people,
        "reid_active": 1 / people,
        "reid_all": float(whole.mean()),
        "reid_rows": 1 / people,
    }


def linked_periods(truth: PseudonymTable) -> list[np.ndarray]:
    """The periods in blocks: two are together if a chain of shared pseudonyms joins them."""
    shape = (truth.periods, len(truth.pseudonyms))
    row, period = np.nonzero(truth.codes >= 0)
    used = sparse.coo_array((np.ones(len(row)), (period, truth.codes[row, period])), shape=shape)
    count, block = connected_components(used.tocsr() @ used.tocsr().T)
    return [np.flatnonzero(block == number) for number in range(count)]


def match_public_months(public: PeriodRows, truth: PseudonymTable, months: Months | None) -> Months:
    """The periods of the public rows, those of the original if given; as many as in the table."""
    used_months = Months.spanning(public.days) if months is None else months
    if used_months.count != truth.periods:
        raise InputError(
            "the rows are of {months} months, the secret table has {periods} periods; the original "
            "T ({setting}) tells which month is the first",
            months=used_months.count,
            periods=truth.periods,
            setting=field_name("original"),
        )
    return used_months
