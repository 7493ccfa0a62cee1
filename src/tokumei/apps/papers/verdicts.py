"""The verdicts on what a paper prints, from harmless to grave, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tokumei.core.messages import Message

BlockVerdict = Literal[
    "equal", "rounding", "form", "slip", "explained", "differs", "printed", "pending", "waiting"
]
VERDICT_ORDER: tuple[BlockVerdict, ...] = (
    "printed",
    "waiting",
    "pending",
    "equal",
    "rounding",
    "form",
    "slip",
    "explained",
    "differs",
)
VERDICT_LABELS: dict[BlockVerdict, Message] = {
    "equal": Message("equal"),
    "rounding": Message("within rounding"),
    "form": Message("same form"),
    "slip": Message("differs: the paper's slip"),
    "explained": Message("differs: reason below"),
    "differs": Message("differs"),
    "printed": Message("not computable here"),
    "pending": Message("not yet computed"),
    "waiting": Message("needs data"),
}
VERDICT_MEANINGS: dict[BlockVerdict, Message] = {
    "equal": Message("ours is what the paper prints"),
    "rounding": Message("ours rounds to the printed digits"),
    "form": Message("a check of the form holds in as many draws as it must"),
    "slip": Message("the paper contradicts its data or itself; ours is the right value"),
    "explained": Message("our value differs; what is known about the reason is given below"),
    "differs": Message("our value differs, and the reason is not known"),
    "printed": Message("printed in the paper; the reason why it cannot be computed is given below"),
    "pending": Message("could be computed, and is not yet"),
    "waiting": Message("real data is needed"),
}
AGREEING: tuple[BlockVerdict, ...] = ("equal", "rounding", "form")
"""Verdicts that an error, in ours or in the transcription, must turn into a difference."""


def gravest_verdict(verdicts: Sequence[BlockVerdict]) -> BlockVerdict:
    """The gravest of these; `printed` of none."""
    return max(verdicts, key=VERDICT_ORDER.index, default="printed")
