"""Entropy l-diversity: −Σ p ln p ≥ ln l in every class."""

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
class EntropyLDiversity(Rule):
    """The values of each class are as mixed as l equally frequent values."""

    name: ClassVar[str] = "entropy-l-diversity"
    title: ClassVar[Text] = Text("Entropy l-diversity", "エントロピー l-多様性")
    sentence: ClassVar[Text] = Text(
        "The sensitive values of every class are as mixed as l equally frequent ones.",
        "どのクラスでも、機密属性の値が、同じ頻度の l 種類の値と同じかそれ以上に散らばっています。",
    )

    l: float  # noqa: E741  the literature's name
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def __post_init__(self) -> None:
        needed = Text("a number above 1", " 1 より大きい数")
        require_parameter(1 < self.l < math.inf, "l", self.l, needed)
        require_roles(self.name, self.columns, self.sensitive)

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in every class {sensitive.en} is as mixed as {self.l:g} equally frequent values",
            f"どのクラスでも{sensitive.ja}の値が、同じ頻度の {self.l:g} 種類以上に散らばっている",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class and sensitive column with too little entropy, the least first."""
        found = class_values(submission, self.columns, self.sensitive)
        return [fault for column in found for fault in self._column(column)]

    def _column(self, found: ClassValues) -> list[Fault]:
        # −Σ (n/N) ln (n/N) = ln N − Σ n ln n / N
        weighted = found.per_class(found.count * np.log(found.count))
        entropy = np.log(found.size) - weighted / found.size
        poor = entropy < math.log(self.l) * (1 - TOLERANCE)
        return [self._fault(found, i, entropy[i]) for i in found.largest_first(-entropy, poor)]

    def _fault(self, found: ClassValues, place: int, entropy: float) -> Fault:
        entropy, limit = abs(entropy), math.log(self.l)  # abs: no "-0"
        finding = Text(
            f"entropy {entropy:.6g} of '{found.column}', like {math.exp(entropy):.6g} equally "
            f"frequent value(s); ln {self.l:g} = {limit:.6g} needed",
            f" '{found.column}' のエントロピーが {entropy:.6g} (等頻度の値 "
            f"{math.exp(entropy):.6g} 種に相当) です。ln {self.l:g} = {limit:.6g} が必要です",
        )
        return found.fault(self.name, place, finding)
