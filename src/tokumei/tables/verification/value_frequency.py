"""Checks frequencies in a class: (α,k)-anonymity, β-likeness, δ-disclosure.

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

from tokumei.core.errors import Violation
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table
from tokumei.tables.verification.class_check_base import (
    TOLERANCE,
    ClassClaimCheck,
    ClassFindings,
    ClassValues,
)
from tokumei.tables.verification.k_anonymity import KAnonymity
from tokumei.tables.verification.protocol import ABOVE_0, AT_LEAST_2, ParameterRequirement

BETWEEN_0_AND_1 = ParameterRequirement(
    lambda value: 0 < value < 1, Message("{parameter} must be above 0 and below 1, not {value}")
)


@dataclass(frozen=True)
class AlphaK(ClassClaimCheck):
    """Limits the share of every sensitive value; α < 1 alone already asks for two rows."""

    name: ClassVar[str] = "alpha-k"
    title: ClassVar[Message] = Message("(α,k)-anonymity")
    sentence: ClassVar[Message] = Message(
        "Every class has k rows, and no sensitive value more than the share α of them."
    )
    demands: ClassVar = {"alpha": BETWEEN_0_AND_1, "k": AT_LEAST_2}
    claim: ClassVar[Message] = Message(
        "every class has at least {k} rows, and no value of {sensitive} more than {alpha} of them"
    )

    alpha: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    k: int = 2

    def figures(self) -> dict[str, str]:
        """α as a percentage."""
        return {"alpha": format_percent(self.alpha)}

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per class that is too small, then one per class with too frequent a value."""
        small = KAnonymity(self.k, self.columns).check(submission)
        return [replace(fault, rule=self.name) for fault in small] + super().check(submission)

    def findings(self, class_column: ClassValues) -> ClassFindings:
        """The most frequent value first."""
        shares = class_column.count / class_column.size[class_column.owner]
        worst = class_column.worst_entries(shares)
        limit = self.alpha * (1 + TOLERANCE)
        for place in class_column.largest_first(shares[worst], shares[worst] > limit):
            share = shares[worst[place]]
            value = f"{class_column.column}={class_column.value_of(worst[place])}"
            finding = Message(
                "{value} in a share of {share:.6g} of its rows; at most alpha = {alpha:g} allowed",
                value=value,
                share=share,
                alpha=self.alpha,
            )
            yield place, finding


@dataclass(frozen=True)
class BetaLikeness(ClassClaimCheck):
    """Limits the relative gain in confidence about every value; rare values are protected too."""

    name: ClassVar[str] = "beta-likeness"
    title: ClassVar[Message] = Message("β-likeness")
    sentence: ClassVar[Message] = Message(
        "No sensitive value is much more frequent in a class than in the whole file."
    )
    demands: ClassVar = {"beta": ABOVE_0}
    claim: ClassVar[Message] = Message(
        "in no class a value of {sensitive} is more than {beta} more frequent than in the whole "
        "file"
    )

    beta: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    enhanced: bool = False

    def figures(self) -> dict[str, str]:
        """β as a percentage."""
        return {"beta": format_percent(self.beta)}

    def findings(self, class_column: ClassValues) -> ClassFindings:
        """The largest excess over the limit first."""
        # (p − q)/q in whole numbers: equal shares give exactly 0.
        expected = class_column.size[class_column.owner] * class_column.total[class_column.value]
        gain = (class_column.count * class_column.rows - expected) / expected
        limit = self._value_limits(class_column)[class_column.value]
        excess = gain - limit * (1 + TOLERANCE)
        worst = class_column.worst_entries(excess)
        source = "min(beta, -ln q)" if self.enhanced else "beta"
        for place in class_column.largest_first(excess[worst], excess[worst] > 0):
            entry = worst[place]
            value = f"{class_column.column}={class_column.value_of(entry)}"
            finding = Message(
                "{value} more often than the file by (p-q)/q = {gain:.6g}; at most {source} = "
                "{limit:.6g} allowed",
                value=value,
                gain=gain[entry],
                source=source,
                limit=limit[entry],
            )
            yield place, finding

    def _value_limits(self, class_column: ClassValues) -> np.ndarray:
        beta = np.full(len(class_column.total), float(self.beta))
        return (
            np.minimum(beta, np.log(class_column.rows / class_column.total))
            if self.enhanced
            else beta
        )


@dataclass(frozen=True)
class DeltaDisclosure(ClassClaimCheck):
    """A value present in a class is about as frequent there as in the file, neither more nor less.

    A value that a class lacks altogether is not looked at.
    """

    name: ClassVar[str] = "delta-disclosure"
    title: ClassVar[Message] = Message("δ-disclosure privacy")
    sentence: ClassVar[Message] = Message(
        "A sensitive value that a class has is about as frequent there as in the whole file."
    )
    demands: ClassVar = {"delta": ABOVE_0}
    claim: ClassVar[Message] = Message(
        "in every class each value of {sensitive} is as frequent as in the whole file, within a "
        "factor of {factor}"
    )

    delta: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def figures(self) -> dict[str, str]:
        """The factor that δ stands for."""
        return {"factor": f"{math.exp(self.delta):.3g}"}

    def findings(self, class_column: ClassValues) -> ClassFindings:
        """The largest |ln(p/q)| first."""
        # p/q − 1 in whole numbers: equal shares give exactly 0.
        expected = class_column.size[class_column.owner] * class_column.total[class_column.value]
        change = np.log1p((class_column.count * class_column.rows - expected) / expected)
        worst = class_column.worst_entries(np.abs(change))
        largest = np.abs(change[worst])
        for place in class_column.largest_first(largest, largest >= self.delta * (1 - TOLERANCE)):
            entry = worst[place]
            value = f"{class_column.column}={class_column.value_of(entry)}"
            finding = Message(
                "{value} with ln(p/q) = {change:.6g} against the file; between -delta and delta = "
                "{delta:g} needed",
                value=value,
                change=change[entry],
                delta=self.delta,
            )
            yield place, finding
