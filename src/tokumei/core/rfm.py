"""RFM segments: quintiles of recency, frequency and monetary value, and how many stay.

class RfmRecency(CustomerQuintiles, part="recency", by="their last purchase"):
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
    """The words and the formula of one of the three."""

    title: Message
    formula: str
    by: Message


_RFM_PARTS = {
    "recency": RfmPart(
        Message("Recency quintiles kept", "最終購買日の五分位の一致率"),
        "R = mean [q(last day) = q′(last day)]",
        Message("last purchase", "最終購買日"),
    ),
    "frequency": RfmPart(
        Message("Frequency quintiles kept", "購買頻度の五分位の一致率"),
        "F = mean [q(rows) = q′(rows)]",
        Message("number of purchases", "購買回数"),
    ),
    "monetary": RfmPart(
        Message("Monetary quintiles kept", "購買金額の五分位の一致率"),
        "M = mean [q(Σ price·quantity) = q′(…)]",
        Message("money spent", "購買金額"),
    ),
}
RFM_PART_NAMES = tuple(_RFM_PARTS)


class QuintilesKept:
    """Base class of measures of quintiles kept: of one `part`, or the mean of all three.

    `told` and `read` are the sentence and the reading of one part, with the field {by}.
    """

    name: ClassVar[str] = "rfm"
    title: ClassVar[Message] = Message("RFM segments kept", "RFM 分析の一致率")
    formula: ClassVar[str] = "(R + F + M) / 3"
    sentence: ClassVar[Message]
    says: ClassVar[Message | None]
    beside: ClassVar[Message | None] = Message(" (by chance {baseline})", " (偶然なら {baseline})")
    limits: ClassVar[Limits | None] = SHARE_LIMITS
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    parts: ClassVar[tuple[str, ...]] = RFM_PART_NAMES
    told: ClassVar[Message]
    read: ClassVar[Message]

    def __init_subclass__(cls, part: str = "", by: str = "", **others: object) -> None:
        super().__init_subclass__(**others)
        if part:
            cls.name, cls.parts = f"rfm_{part}", (part,)
            cls.title, cls.formula, words = _RFM_PARTS[part]
            cls.sentence = _fill_by_placeholder(cls.told, Message(by, words.ja))
            cls.says = _fill_by_placeholder(cls.read, words)

    @property
    def columns(self) -> list[int]:
        """The places of the parts among all three."""
        return [RFM_PART_NAMES.index(part) for part in self.parts]


def _fill_by_placeholder(text: Message, by: Message) -> Message:
    return Message(text.en.replace("{by}", by.en), text.ja.replace("{by}", by.ja))


def rfm_quintiles(last: np.ndarray, rows: np.ndarray, spent: np.ndarray) -> np.ndarray:
    """R, F and M (columns) of everybody, given the last day, the rows and what was spent."""
    return np.stack([rank_quantiles(part, QUINTILE_COUNT) for part in (last, rows, spent)], axis=1)
