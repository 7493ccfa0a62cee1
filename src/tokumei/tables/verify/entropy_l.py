"""Entropy l-diversity: −Σ p ln p ≥ ln l in every class."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.verify.class_rule import ClassRule, Finding, require_parameter
from tokumei.tables.verify.class_values import TOLERANCE, ClassValues


@dataclass(frozen=True)
class EntropyLDiversity(ClassRule):
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
        super().__post_init__()

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in every class {sensitive.en} is as mixed as {self.l:g} equally frequent values",
            f"どのクラスでも{sensitive.ja}の値が、同じ頻度の {self.l:g} 種類以上に散らばっている",
        )

    def findings(self, found: ClassValues) -> Iterator[Finding]:
        """The least entropy first."""
        # −Σ (n/N) ln (n/N) = ln N − Σ n ln n / N
        weighted = found.per_class(found.count * np.log(found.count))
        entropies, limit = np.log(found.size) - weighted / found.size, math.log(self.l)
        for place in found.largest_first(-entropies, entropies < limit * (1 - TOLERANCE)):
            entropy = abs(entropies[place])  # abs: no "-0"
            has, alike = f"{entropy:.6g}", f"{math.exp(entropy):.6g}"
            needed = f"ln {self.l:g} = {limit:.6g}"
            yield Finding(
                place,
                f"entropy {has} of '{found.column}', like {alike} equally frequent value(s); "
                f"{needed} needed",
                f" '{found.column}' のエントロピーが {has} (等頻度の値 {alike} 種に相当) です。"
                f"{needed} が必要です",
            )
