"""RFM segments: recency, frequency and monetary value, each cut into quintiles, and how many stay.

class RfmRecency(CustomerQuintiles, part="recency", by="their last purchase"):
    \"\"\"Customers in the same quintile of the last day bought.\"\"\"
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from tokumei.core.cells import rank_classes
from tokumei.core.measure import SHARE_LIMITS, Goal, Limits
from tokumei.core.text import Text

QUINTILES = 5


class Part(NamedTuple):
    """The words and the formula of one of the three."""

    title: Text
    formula: str
    by: Text


_PARTS = {
    "recency": Part(
        Text("Recency quintiles kept", "最終購買日の五分位の一致率"),
        "R = mean [q(last day) = q′(last day)]",
        Text("last purchase", "最終購買日"),
    ),
    "frequency": Part(
        Text("Frequency quintiles kept", "購買頻度の五分位の一致率"),
        "F = mean [q(rows) = q′(rows)]",
        Text("number of purchases", "購買回数"),
    ),
    "monetary": Part(
        Text("Monetary quintiles kept", "購買金額の五分位の一致率"),
        "M = mean [q(Σ price·quantity) = q′(…)]",
        Text("money spent", "購買金額"),
    ),
}
PARTS = tuple(_PARTS)


class QuintilesKept:
    """What measures of the quintiles kept share: of one `part`, or the mean of all three.

    `told` and `read` are the sentence and the reading of one part, with the field {by}.
    """

    name: ClassVar[str] = "rfm"
    title: ClassVar[Text] = Text("RFM segments kept", "RFM 分析の一致率")
    formula: ClassVar[str] = "(R + F + M) / 3"
    sentence: ClassVar[Text]
    says: ClassVar[Text | None]
    beside: ClassVar[Text | None] = Text(" (by chance {baseline})", " (偶然なら {baseline})")
    limits: ClassVar[Limits | None] = SHARE_LIMITS
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    parts: ClassVar[tuple[str, ...]] = PARTS
    told: ClassVar[Text]
    read: ClassVar[Text]

    def __init_subclass__(cls, part: str = "", by: str = "", **others: Any) -> None:
        super().__init_subclass__(**others)
        if part:
            cls.name, cls.parts = f"rfm_{part}", (part,)
            cls.title, cls.formula, words = _PARTS[part]
            cls.sentence = _filled(cls.told, Text(by, words.ja))
            cls.says = _filled(cls.read, words)

    @property
    def columns(self) -> list[int]:
        """The places of the parts among all three."""
        return [PARTS.index(part) for part in self.parts]


def _filled(text: Text, by: Text) -> Text:
    return Text(text.en.replace("{by}", by.en), text.ja.replace("{by}", by.ja))


def quintiles_of(last: np.ndarray, rows: np.ndarray, spent: np.ndarray) -> np.ndarray:
    """R, F and M (columns) of everybody, given the last day, the rows and what was spent."""
    return np.stack([rank_classes(part, QUINTILES) for part in (last, rows, spent)], axis=1)
