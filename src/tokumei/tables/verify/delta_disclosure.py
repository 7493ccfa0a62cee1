"""δ-disclosure: |ln(p/q)| < δ for every sensitive value present in a class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_values import (
    TOLERANCE,
    ClassValues,
    class_values,
    require_parameter,
    require_roles,
)
from tokumei.tables.verify.protocol import Rule


@dataclass(frozen=True)
class DeltaDisclosure(Rule):
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
        above = Text("a number above 0", " 0 より大きい数")
        require_parameter(0 < self.delta < math.inf, "delta", self.delta, above)
        require_roles(self.name, self.columns, self.sensitive)

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in every class each value of {sensitive.en} is as frequent as in the whole file, "
            f"within a factor of {math.exp(self.delta):.3g}",
            f"どのクラスでも{sensitive.ja}の値の頻度は、ファイル全体の "
            f"{math.exp(self.delta):.3g} 倍から {math.exp(-self.delta):.3g} 倍の間にある",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class and sensitive column, the largest |ln(p/q)| first."""
        found = class_values(submission, self.columns, self.sensitive)
        return [fault for column in found for fault in self._column(column)]

    def _column(self, found: ClassValues) -> list[Fault]:
        # p/q − 1 in whole numbers: equal shares give exactly 0.
        expected = found.size[found.owner] * found.total[found.value]
        change = np.log1p((found.count * found.rows - expected) / expected)
        worst = found.worst_entries(np.abs(change))
        largest = np.abs(change[worst])
        places = found.largest_first(largest, largest >= self.delta * (1 - TOLERANCE))
        return [self._fault(found, i, worst[i], change[worst[i]]) for i in places]

    def _fault(self, found: ClassValues, place: int, entry: int, change: float) -> Fault:
        value = found.values[int(found.value[entry])]
        finding = Text(
            f"{found.column}={value} with ln(p/q) = {change:.6g} against the file; "
            f"between -delta and delta = {self.delta:g} needed",
            f" {found.column}={value} の ln(p/q) が {change:.6g} です。"
            f"-delta と delta = {self.delta:g} の間でなければなりません",
        )
        return found.fault(self.name, place, finding)
