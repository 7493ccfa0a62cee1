"""C: Yamaoka anonymization: keeps the values and permutes the link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.formatting import format_percent
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
    title: ClassVar[Message] = Message("Permute whose row is whose (Yamaoka)", "山岡匿名化")
    sentence: ClassVar[Message] = Message(
        "Permutes which row is claimed to be whose; the values stay as they are and are not "
        "protected.",
        "「誰の行か」の対応だけを入れ替えます。値はそのままで、保護されません。",
    )
    leaves_open: ClassVar[Message] = Message(
        "Every value: only the claimed link is permuted; whoever compares values sees through it.",
        "すべての値です。入れ替わるのは申告した対応関係だけで、値を比べれば見抜けます。",
    )
    relabels: ClassVar[bool] = True

    share: float = 1.0

    def __post_init__(self) -> None:
        require_share(self.name, self.share)

    def done(self) -> Message:
        """How many rows are affected."""
        share = format_percent(self.share)
        return Message(
            f"Permute who is who for {share} of the rows; the values stay as they are",
            f"{share} の行について「誰の行か」だけを入れ替える（値はそのまま）",
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Pass the claimed origins once around a random cycle of the chosen rows."""
        count = round(self.share * step.table.rows)
        permuted_rows = rng.permutation(step.table.rows)[:count]
        link = step.link.copy()
        link[permuted_rows] = step.link[np.roll(permuted_rows, 1)]
        return Step(step.table, link, step.claims, origin=step.rows)
