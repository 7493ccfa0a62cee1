"""Entropy l-diversity: −Σ p ln p ≥ ln l in every class."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.text import Text
from tokumei.tables.verify.class_rule import ClassRule, require_parameter
from tokumei.tables.verify.class_values import TOLERANCE, ClassValues


@dataclass(frozen=True)
class EntropyLDiversity(ClassRule):
    """The values of each class are as mixed as l equally frequent values."""

    name: ClassVar[str] = "entropy-l-diversity"

    l: float  # noqa: E741  the literature's name
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def __post_init__(self) -> None:
        needed = Text("a number above 1", " 1 より大きい数")
        require_parameter(1 < self.l < math.inf, "l", self.l, needed)
        super().__post_init__()

    def findings(self, found: ClassValues) -> Iterator[tuple[int, Text]]:
        """The least entropy first."""
        # −Σ (n/N) ln (n/N) = ln N − Σ n ln n / N
        weighted = found.per_class(found.count * np.log(found.count))
        entropies, limit = np.log(found.size) - weighted / found.size, math.log(self.l)
        for place in found.largest_first(-entropies, entropies < limit * (1 - TOLERANCE)):
            entropy = abs(entropies[place])  # abs: no "-0"
            yield (
                place,
                Text(
                    f"entropy {entropy:.6g} of '{found.column}', like {math.exp(entropy):.6g} equally "
                    f"frequent value(s); ln {self.l:g} = {limit:.6g} needed",
                    f" '{found.column}' のエントロピーが {entropy:.6g} (等頻度の値 "
                    f"{math.exp(entropy):.6g} 種に相当) です。ln {self.l:g} = {limit:.6g} が必要です",
                ),
            )
