"""β-likeness: no sensitive value is much more frequent in a class than in the file.

basic      (p − q)/q ≤ β             wherever p > q
enhanced   (p − q)/q ≤ min(β, −ln q)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.verify.class_rule import ABOVE_0, ClassRule, Finding, require_parameter
from tokumei.tables.verify.class_values import TOLERANCE, ClassValues


@dataclass(frozen=True)
class BetaLikeness(ClassRule):
    """Limits the relative gain in confidence about every value; rare values are protected too."""

    name: ClassVar[str] = "beta-likeness"
    title: ClassVar[Text] = Text("β-likeness", "β-類似性")
    sentence: ClassVar[Text] = Text(
        "No sensitive value is much more frequent in a class than in the whole file.",
        "どのクラスでも、機密属性の値がファイル全体に比べて極端に多くなることはありません。",
    )

    beta: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    enhanced: bool = False

    def __post_init__(self) -> None:
        require_parameter(0 < self.beta < math.inf, "beta", self.beta, ABOVE_0)
        super().__post_init__()

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in no class a value of {sensitive.en} is more than {percent(self.beta)} more "
            "frequent than in the whole file",
            f"どのクラスでも{sensitive.ja}の値の頻度の増加は、ファイル全体に比べて "
            f"{percent(self.beta)} 以内である",
        )

    def findings(self, found: ClassValues) -> Iterator[Finding]:
        """The largest excess over the limit first."""
        # (p − q)/q in whole numbers: equal shares give exactly 0.
        expected = found.size[found.owner] * found.total[found.value]
        gain = (found.count * found.rows - expected) / expected
        limit = self._limits(found)[found.value]
        excess = gain - limit * (1 + TOLERANCE)
        worst = found.worst_entries(excess)
        source = "min(beta, -ln q)" if self.enhanced else "beta"
        for place in found.largest_first(excess[worst], excess[worst] > 0):
            entry = worst[place]
            value = f"{found.column}={found.value_of(entry)}"
            yield Finding(
                place,
                f"{value} more often than the file by (p-q)/q = {gain[entry]:.6g}; "
                f"at most {source} = {limit[entry]:.6g} allowed",
                f" {value} が全体より多く、(p-q)/q = {gain[entry]:.6g} です。"
                f"上限は {source} = {limit[entry]:.6g} です",
            )

    def _limits(self, found: ClassValues) -> np.ndarray:
        beta = np.full(len(found.total), float(self.beta))
        return np.minimum(beta, np.log(found.rows / found.total)) if self.enhanced else beta
