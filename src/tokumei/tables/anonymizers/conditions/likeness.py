"""β-likeness and δ-disclosure: a value's share p in a class against its share q in all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from tokumei.core.text import Text
from tokumei.kernels.verdict import BASIC, DELTA, ENHANCED
from tokumei.tables.anonymizers.conditions.protocol import Condition, require_limit

ABOVE_ZERO = Text("a number above 0", " 0 より大きい数")


@dataclass(frozen=True)
class BasicBeta(Condition):
    """(p − q)/q ≤ β wherever p > q.

    Monotone: it limits each p by (1 + β)q, and a share in a union is a mean of those in its parts.
    """

    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "beta-likeness"
    kind: ClassVar[int] = BASIC
    enhanced: ClassVar[bool] = False

    beta: float

    def __post_init__(self) -> None:
        name = "enhanced-beta" if self.enhanced else "beta"
        require_limit(0 < self.beta < math.inf, name, self.beta, ABOVE_ZERO)

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of the rule."""
        return super().params | {"enhanced": self.enhanced}


@dataclass(frozen=True)
class EnhancedBeta(BasicBeta):
    """(p − q)/q ≤ min(β, −ln q) wherever p > q: frequent values are limited more.

    Monotone, as the limits are still fixed by q alone.
    """

    kind: ClassVar[int] = ENHANCED
    enhanced: ClassVar[bool] = True


@dataclass(frozen=True)
class Delta(Condition):
    """|ln(p/q)| < δ for the values present in the class.

    Not monotone: a value that one class lacks is not looked at there, but thins out in the union.
    With δ = 0.7 the classes (1, 2), (0, 6) and (3, 3) all hold, the largest |ln(p/q)| being
    ln 1.875 = 0.63. In the union (1, 8) of the first two, p/q = (1/9)/(4/15) = 0.417, ln = −0.88.
    """

    monotone: ClassVar[bool] = False
    rule: ClassVar[str] = "delta-disclosure"
    kind: ClassVar[int] = DELTA

    delta: float

    def __post_init__(self) -> None:
        require_limit(0 < self.delta < math.inf, "delta", self.delta, ABOVE_ZERO)
