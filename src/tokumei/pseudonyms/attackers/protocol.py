"""What an attack on pseudonyms over time is, and what it sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.core.words import Attacker
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess
from tokumei.pseudonyms.data.rows import Months, PeriodRows


class PeriodAttacker(Attacker, Protocol):
    """Says for every customer and period which pseudonym it might be. Never sees the secret."""

    def attack(
        self,
        public: PeriodRows,
        known: PeriodRows,
        *,
        customers: pl.Series,
        months: Months,
        rng: Randomness,
    ) -> PeriodGuess:
        """The answer to the public rows (S), knowing some rows of some customers (T_α)."""
        ...


@dataclass(frozen=True, eq=False)
class PeriodChallenge:
    """The public rows, the rows the attacker knows, all customers, and the periods."""

    public: PeriodRows = field(repr=False)
    known: PeriodRows = field(repr=False)
    customers: pl.Series = field(repr=False)
    months: Months

    def put_to(self, attacker: PeriodAttacker, *, rng: Randomness) -> PeriodGuess:
        """For every customer and period, which pseudonym it might be."""
        return attacker.attack(
            self.public, self.known, customers=self.customers, months=self.months, rng=rng
        )
