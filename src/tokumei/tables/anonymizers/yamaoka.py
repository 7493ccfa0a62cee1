"""C: Yamaoka anonymization: keeps the values and permutes the link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_share


@dataclass(frozen=True)
class Yamaoka(TableMethod):
    """Derange the claimed link over a share of the rows.

    Every aggregate stays and every linkage is "wrong", because the release claims another
    origin for each row. The values themselves are still those of real people: this defeats a
    contest's scoring, not an attacker who recognises a row. Diagnosis and reports say so.
    """

    name: ClassVar[str] = "yamaoka"
    title: ClassVar[Message] = Message("Permute whose row is whose (Yamaoka)")
    sentence: ClassVar[Message] = Message(
        "Permutes which row is claimed to be whose; the values stay as they are and are not "
        "protected."
    )
    leaves_open: ClassVar[Message] = Message(
        "No value is protected: only the claimed link is permuted, and anyone who compares "
        "values can undo that."
    )
    relabels: ClassVar[bool] = True

    share: float = 1.0

    def __post_init__(self) -> None:
        require_share(self.name, self.share)

    def done(self) -> Message:
        """How many rows are affected."""
        return Message(
            "Permute who is who for {share:percent} of the rows; the values stay as they are",
            share=self.share,
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Pass the claimed origins once around a random cycle of the chosen rows."""
        count = round(self.share * step.table.rows)
        permuted_rows = rng.permutation(step.table.rows)[:count]
        link = step.link.copy()
        link[permuted_rows] = step.link[np.roll(permuted_rows, 1)]
        return Step(step.table, link, step.claims, origin=step.rows)
