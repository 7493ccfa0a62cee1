"""An attacker's answer to a released history: which customer is behind which pseudonym."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl


@dataclass(frozen=True, eq=False)
class HistoryGuess:
    """Pseudonyms by first appearance in the public file, and a customer for each (null: none).

    `confidence` is the attacker's own estimate of the probability of being right.
    """

    pseudonyms: pl.Series
    customers: pl.Series
    confidence: np.ndarray

    @classmethod
    def of_places(
        cls, pseudonyms: pl.Series, names: pl.Series, places: np.ndarray, confidence: np.ndarray
    ) -> HistoryGuess:
        """From the places of the named customers in `names` (-1: no answer)."""
        answered = places >= 0
        everyone = pl.concat([names.cast(pl.String), pl.Series([None], dtype=pl.String)])
        customers = everyone.gather(np.where(answered, places, len(names))).alias("customer")
        return cls(pseudonyms, customers, np.where(answered, confidence, 0.0))

    @property
    def answered(self) -> np.ndarray:
        """Which pseudonyms got an answer."""
        return self.customers.is_not_null().to_numpy()

    @property
    def expected_hits(self) -> float:
        """How many answers the attacker believes to be right."""
        return float(self.confidence[self.answered].sum())

    def frame(self) -> pl.DataFrame:
        """The answers as the contest's F′: pid, cid."""
        pairs = pl.DataFrame({"pid": self.pseudonyms, "cid": self.customers})
        return pairs.filter(pl.Series(self.answered))

    def top(self, n: int) -> HistoryGuess:
        """Only the n most confident answers."""
        order = np.argsort(np.where(self.answered, -self.confidence, np.inf), kind="stable")
        dropped = np.ones(len(order), dtype=bool)
        dropped[order[: max(n, 0)]] = False
        customers = self.customers.set(pl.Series(dropped), None)
        return HistoryGuess(self.pseudonyms, customers, np.where(dropped, 0.0, self.confidence))
