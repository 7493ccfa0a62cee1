"""What an attack on pseudonyms over time is."""

from __future__ import annotations

from typing import Protocol

import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.core.words import Attacker
from tokumei.pseudonyms.data.guess import PeriodGuess
from tokumei.pseudonyms.data.months import Months
from tokumei.pseudonyms.data.rows import PeriodRows


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
