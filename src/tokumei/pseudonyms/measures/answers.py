"""What a guess claims: this customer has this pseudonym in this period.

    claims = Answers.of_table(guess.table, truth)     # one pseudonym per customer and period
    claims = Answers.of_map(frame, truth)             # one customer per period and pseudonym
    claims.right                                     # which of them are true

A map h: (period, pseudonym) → customer may name one customer for several pseudonyms of a period,
which the contest's table cannot say. Both become the same list of claims and are scored alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.cells import codes_in
from tokumei.core.errors import InputError
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable


@dataclass(frozen=True, eq=False)
class Answers:
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
            raise InputError(
                "the secret table must have customers, each once",
                "秘密の仮名表には顧客が 1 回ずつ必要です",
            )

    @classmethod
    def of_table(cls, guess: PseudonymTable, truth: PseudonymTable) -> Answers:
        """The claims of a guessed table with the truth's customers (in any order) and periods."""
        who = codes_in(guess.customers, truth.customers)
        if sorted(who.tolist()) != list(range(len(truth.customers))):
            raise InputError(
                "the guess must have every customer of the secret table once",
                "推定表には秘密の仮名表のすべての顧客が 1 回ずつ必要です",
            )
        if guess.periods != truth.periods:
            raise InputError(
                f"the guess has {guess.periods} periods, the secret table {truth.periods}",
                f"推定表は {guess.periods} 期間、秘密の仮名表は {truth.periods} 期間です",
            )
        codes = guess.codes_among(truth.pseudonyms)
        row, period = np.nonzero(guess.codes >= 0)
        return cls(truth, period, who[row], codes[row, period])

    @classmethod
    def of_map(cls, answers: pl.DataFrame, truth: PseudonymTable) -> Answers:
        """The claims of a map: period (1 the first), pseudonym, customer; each key once."""
        if answers.select("period", "pseudonym").is_duplicated().any():
            raise InputError(
                "a pseudonym has two customers in one period",
                "同じ期間の一つの仮名に二人以上の顧客が割り当てられています",
            )
        period = answers["period"].cast(pl.Int64).to_numpy() - 1
        customer = codes_in(answers["customer"], truth.customers)
        pseudonym = codes_in(answers["pseudonym"], truth.pseudonyms)
        about = (customer >= 0) & (period >= 0) & (period < truth.periods)
        found = np.where(pseudonym < 0, -2, pseudonym)
        return cls(truth, period[about], customer[about], found[about])

    @cached_property
    def right(self) -> np.ndarray:
        """Which claims are true."""
        return np.asarray(self.truth.codes[self.customer, self.period] == self.pseudonym)

    @property
    def hits(self) -> int:
        """How many (period, customer) pairs are found."""
        return int(self.right.sum())

    @cached_property
    def wholly_right(self) -> np.ndarray:
        """The customers whose pseudonyms are all found and of whom nothing else is claimed."""
        people = len(self.truth.customers)
        found = np.bincount(self.customer[self.right], minlength=people)
        claimed = np.bincount(self.customer, minlength=people)
        there = (self.truth.codes >= 0).sum(axis=1)
        return np.asarray((found == there) & (claimed == there))

    def rows_right(self, period: np.ndarray, pseudonym: np.ndarray) -> float:
        """How many of the given public rows go to the right customer.

        Where several customers claim one pseudonym, each gets an equal part of its rows.
        """
        places = (self.truth.periods, len(self.truth.pseudonyms))
        rows, claims = np.zeros(places), np.zeros(places)
        known = (period >= 0) & (pseudonym >= 0)
        np.add.at(rows, (period[known], pseudonym[known]), 1)
        named = self.pseudonym >= 0
        np.add.at(claims, (self.period[named], self.pseudonym[named]), 1)
        at = (self.period[self.right], self.pseudonym[self.right])
        return float((rows[at] / claims[at]).sum())
