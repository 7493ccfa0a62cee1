"""What a condition is, and what all conditions share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from tokumei.errors import UsageError
from tokumei.text import Text

ROUNDING = 1e-9
"""Figures within this relative distance of a limit count as equal to it."""


class Condition(ABC):
    """A demand on the sensitive values of every class; parameters are dataclass fields.

    `monotone`: the union of two classes that fulfil it fulfils it too, as long as `totals` stay
    the same. A search may then stop at the first coarsening that holds, and need not look above
    it; without it, it must test every candidate. Dropping rows changes `totals`: conditions that
    compare with them (closeness, likeness) must be tested anew.
    """

    monotone: ClassVar[bool]
    rule: ClassVar[str]
    """The rule that verifies the release; its parameters are `params` and the columns."""

    def holds(self, histograms: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Which classes fulfil it; an empty class does.

        `histograms[i, v]` counts the rows of class i with value v, `sizes[i]` its rows, and
        `totals[v]` the rows of the whole release with value v.
        """
        if histograms.shape != (len(sizes), len(totals)):
            raise ValueError("histograms must have a row per size and a column per total")
        rows, in_all = np.asarray(sizes, dtype=np.int64), np.asarray(totals, dtype=np.int64)
        filled = rows > 0
        held = np.ones(len(rows), dtype=bool)
        if filled.any():
            held[filled] = self._holds(np.asarray(histograms)[filled], rows[filled], in_all)
        return held

    @property
    @abstractmethod
    def params(self) -> dict[str, Any]:
        """The rule's parameters that this condition decides, as plain data."""

    @abstractmethod
    def _holds(self, counts: np.ndarray, sizes: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Which of the classes, none of them empty, fulfil it."""


def require_limit(good: bool, condition: str, value: float, needed: Text) -> None:
    """Fail on a limit that demands nothing or cannot be met."""
    if not good:
        raise UsageError(
            Text(
                f"{condition}: {value:g} is not {needed.en}",
                f"{condition}: {value:g} は{needed.ja}ではありません",
            )
        )
