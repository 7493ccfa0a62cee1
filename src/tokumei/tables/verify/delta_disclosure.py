"""δ-disclosure: |ln(p/q)| < δ for every sensitive value present in a class."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.verify.class_rule import ABOVE_0, ClassRule, Finding, require_parameter
from tokumei.tables.verify.class_values import TOLERANCE, ClassValues


@dataclass(frozen=True)
class DeltaDisclosure(ClassRule):
    """A value present in a class is about as frequent there as in the file, neither more nor less.

    A value that a class lacks altogether is not looked at.
    """

    name: ClassVar[str] = "delta-disclosure"
    title: ClassVar[Text] = Text("δ-disclosure privacy", "δ-開示プライバシー")
    sentence: ClassVar[Text] = Text(
        "A sensitive value that a class has is about as frequent there as in the whole file.",
        "クラスに現れる機密属性の値の頻度は、ファイル全体での頻度とほぼ同じです。",
    )

    delta: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def __post_init__(self) -> None:
        require_parameter(0 < self.delta < math.inf, "delta", self.delta, ABOVE_0)
        super().__post_init__()

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in every class each value of {sensitive.en} is as frequent as in the whole file, "
            f"within a factor of {math.exp(self.delta):.3g}",
            f"どのクラスでも{sensitive.ja}の値の頻度は、ファイル全体の "
            f"{math.exp(self.delta):.3g} 倍から {math.exp(-self.delta):.3g} 倍の間にある",
        )

    def findings(self, found: ClassValues) -> Iterator[Finding]:
        """The largest |ln(p/q)| first."""
        # p/q − 1 in whole numbers: equal shares give exactly 0.
        expected = found.size[found.owner] * found.total[found.value]
        change = np.log1p((found.count * found.rows - expected) / expected)
        worst = found.worst_entries(np.abs(change))
        largest = np.abs(change[worst])
        for place in found.largest_first(largest, largest >= self.delta * (1 - TOLERANCE)):
            entry = worst[place]
            value = f"{found.column}={found.value_of(entry)}"
            yield Finding(
                place,
                f"{value} with ln(p/q) = {change[entry]:.6g} against the file; "
                f"between -delta and delta = {self.delta:g} needed",
                f" {value} の ln(p/q) が {change[entry]:.6g} です。"
                f"-delta と delta = {self.delta:g} の間でなければなりません",
            )
