"""How frequent a sensitive value may be in a class: (α,k)-anonymity, β-likeness, δ-disclosure.

With p the share of a value in a class, q its share in the file:

(α,k)      p ≤ α, and k rows in every class
β          (p − q)/q ≤ β wherever p > q; enhanced: ≤ min(β, −ln q)
δ          |ln(p/q)| < δ for every value present in a class
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tokumei.core.errors import Fault
from tokumei.core.figures import percent
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_rule import (
    ABOVE_0,
    AT_LEAST_2,
    TOLERANCE,
    ClassRule,
    ClassValues,
    Demand,
    Findings,
)
from tokumei.tables.verify.k_anonymity import KAnonymity

BETWEEN_0_AND_1 = Demand(
    lambda value: 0 < value < 1, Text("above 0 and below 1", " 0 より大きく 1 より小さい数")
)


@dataclass(frozen=True)
class AlphaK(ClassRule):
    """Limits the share of every sensitive value; α < 1 alone already asks for two rows."""

    name: ClassVar[str] = "alpha-k"
    title: ClassVar[Text] = Text("(α,k)-anonymity", "(α,k)-匿名性")
    sentence: ClassVar[Text] = Text(
        "Every class has k rows, and no sensitive value more than the share α of them.",
        "どのクラスも k 行以上あり、一つの機密属性の値が占める割合は α 以下です。",
    )
    demands: ClassVar = {"alpha": BETWEEN_0_AND_1, "k": AT_LEAST_2}
    claim: ClassVar[Text] = Text(
        "every class has at least {k} rows, and no value of {sensitive} more than {alpha} of them",
        "どのクラスも {k} 行以上あり、{sensitive}の一つの値の割合は {alpha} 以下である",
    )

    alpha: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    k: int = 2

    def figures(self) -> dict[str, str]:
        """α as a percentage."""
        return {"alpha": percent(self.alpha)}

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class that is too small, then one per class with too frequent a value."""
        small = KAnonymity(self.k, self.columns).check(submission)
        return [replace(fault, rule=self.name) for fault in small] + super().check(submission)

    def findings(self, found: ClassValues) -> Findings:
        """The most frequent value first."""
        shares = found.count / found.size[found.owner]
        worst = found.worst_entries(shares)
        limit = self.alpha * (1 + TOLERANCE)
        for place in found.largest_first(shares[worst], shares[worst] > limit):
            share = shares[worst[place]]
            value = f"{found.column}={found.value_of(worst[place])}"
            finding = Text(
                f"{value} in a share of {share:.6g} of its rows; "
                f"at most alpha = {self.alpha:g} allowed",
                f" {value} の割合が {share:.6g} です。上限は alpha = {self.alpha:g} です",
            )
            yield place, finding


@dataclass(frozen=True)
class BetaLikeness(ClassRule):
    """Limits the relative gain in confidence about every value; rare values are protected too."""

    name: ClassVar[str] = "beta-likeness"
    title: ClassVar[Text] = Text("β-likeness", "β-類似性")
    sentence: ClassVar[Text] = Text(
        "No sensitive value is much more frequent in a class than in the whole file.",
        "どのクラスでも、機密属性の値がファイル全体に比べて極端に多くなることはありません。",
    )
    demands: ClassVar = {"beta": ABOVE_0}
    claim: ClassVar[Text] = Text(
        "in no class a value of {sensitive} is more than {beta} more frequent than in the whole "
        "file",
        "どのクラスでも{sensitive}の値の頻度の増加は、ファイル全体に比べて {beta} 以内である",
    )

    beta: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    enhanced: bool = False

    def figures(self) -> dict[str, str]:
        """β as a percentage."""
        return {"beta": percent(self.beta)}

    def findings(self, found: ClassValues) -> Findings:
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
            finding = Text(
                f"{value} more often than the file by (p-q)/q = {gain[entry]:.6g}; "
                f"at most {source} = {limit[entry]:.6g} allowed",
                f" {value} が全体より多く、(p-q)/q = {gain[entry]:.6g} です。"
                f"上限は {source} = {limit[entry]:.6g} です",
            )
            yield place, finding

    def _limits(self, found: ClassValues) -> np.ndarray:
        beta = np.full(len(found.total), float(self.beta))
        return np.minimum(beta, np.log(found.rows / found.total)) if self.enhanced else beta


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
    demands: ClassVar = {"delta": ABOVE_0}
    claim: ClassVar[Text] = Text(
        "in every class each value of {sensitive} is as frequent as in the whole file, within a "
        "factor of {up}",
        "どのクラスでも{sensitive}の値の頻度は、ファイル全体の {up} 倍から {down} 倍の間にある",
    )

    delta: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def figures(self) -> dict[str, str]:
        """The factors up and down that δ stands for."""
        return {"up": f"{math.exp(self.delta):.3g}", "down": f"{math.exp(-self.delta):.3g}"}

    def findings(self, found: ClassValues) -> Findings:
        """The largest |ln(p/q)| first."""
        # p/q − 1 in whole numbers: equal shares give exactly 0.
        expected = found.size[found.owner] * found.total[found.value]
        change = np.log1p((found.count * found.rows - expected) / expected)
        worst = found.worst_entries(np.abs(change))
        largest = np.abs(change[worst])
        for place in found.largest_first(largest, largest >= self.delta * (1 - TOLERANCE)):
            entry = worst[place]
            value = f"{found.column}={found.value_of(entry)}"
            finding = Text(
                f"{value} with ln(p/q) = {change[entry]:.6g} against the file; "
                f"between -delta and delta = {self.delta:g} needed",
                f" {value} の ln(p/q) が {change[entry]:.6g} です。"
                f"-delta と delta = {self.delta:g} の間でなければなりません",
            )
            yield place, finding
