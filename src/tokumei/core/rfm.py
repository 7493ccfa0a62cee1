"""RFM segments: quintiles of recency, frequency and monetary value, and how many stay.

class RfmRecency(QuintilesKept, part="recency"):
    \"\"\"Customers in the same quintile of the last day bought.\"\"\"
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from tokumei.core.generalized_cells import rank_quantiles
from tokumei.core.measure import SHARE_LIMITS, Goal, Limits
from tokumei.core.messages import Message

QUINTILE_COUNT = 5


class RfmPart(NamedTuple):
    """The title and the formula of one of the three."""

    title: Message
    formula: str


_RFM_PARTS = {
    "recency": RfmPart(Message("Recency quintiles kept"), "R = mean [q(last day) = q′(last day)]"),
    "frequency": RfmPart(Message("Frequency quintiles kept"), "F = mean [q(rows) = q′(rows)]"),
    "monetary": RfmPart(
        Message("Monetary quintiles kept"), "M = mean [q(Σ price·quantity) = q′(…)]"
    ),
}
RFM_PART_NAMES = tuple(_RFM_PARTS)


class QuintilesKept:
    """Base class of measures of quintiles kept: of one `part`, or the mean of all three."""

    name: ClassVar[str] = "rfm"
    title: ClassVar[Message] = Message("RFM segments kept")
    formula: ClassVar[str] = "(R + F + M) / 3"
    sentence: ClassVar[Message]
    says: ClassVar[Message | None]
    beside: ClassVar[Message | None] = Message(" (by chance {baseline})")
    limits: ClassVar[Limits | None] = SHARE_LIMITS
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    parts: ClassVar[tuple[str, ...]] = RFM_PART_NAMES

    def __init_subclass__(cls, part: str = "", **others: object) -> None:
        super().__init_subclass__(**others)
        if part:
            cls.name, cls.parts = f"rfm_{part}", (part,)
            cls.title, cls.formula = _RFM_PARTS[part]

    @property
    def columns(self) -> list[int]:
        """The places of the parts among all three."""
        return [RFM_PART_NAMES.index(part) for part in self.parts]


def rfm_quintiles(last: np.ndarray, rows: np.ndarray, spent: np.ndarray) -> np.ndarray:
    """R, F and M (columns) of everybody, given the last day, the rows and what was spent."""
    return np.stack([rank_quantiles(part, QUINTILE_COUNT) for part in (last, rows, spent)], axis=1)
