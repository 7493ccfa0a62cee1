"""What an attack on pseudonyms over time sees."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.protocol import PeriodAttacker
from tokumei.pseudonyms.data.guess import PeriodGuess
from tokumei.pseudonyms.data.months import Months
from tokumei.pseudonyms.data.rows import PeriodRows


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
