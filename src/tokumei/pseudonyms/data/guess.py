"""An attacker's answer: the pseudonym of every customer in every period, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable


@dataclass(frozen=True, eq=False)
class PeriodGuess:
    """A guessed table; `confidence` (0…1, same shape) is the attacker's own estimate."""

    table: PseudonymTable
    confidence: np.ndarray

    @classmethod
    def certain(cls, table: PseudonymTable) -> PeriodGuess:
        """A guess without any estimate of its own: 1 where it names a pseudonym."""
        return cls(table, (table.codes >= 0).astype(np.float64))
