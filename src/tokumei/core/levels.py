"""Traffic lights: when a figure is good, fair or poor."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from tokumei.core.text import Text


class Level(StrEnum):
    """A traffic light that does not rest on colour alone."""

    GOOD = "good"
    MID = "mid"
    BAD = "bad"

    @property
    def symbol(self) -> str:
        """A shape of its own per level."""
        return {"good": "●", "mid": "▲", "bad": "■"}[self.value]

    @property
    def words(self) -> Text:
        """The level in words."""
        return {
            "good": Text("good", "良好"),
            "mid": Text("fair", "注意"),
            "bad": Text("poor", "要改善"),
        }[self.value]


class Limits(NamedTuple):
    """Up to `good` (or from it on, when more is better) is good; likewise `mid`."""

    good: float
    mid: float
    more_is_better: bool = False

    def level(self, value: float) -> Level:
        """Where the value stands."""
        sign = -1.0 if self.more_is_better else 1.0
        if sign * value <= sign * self.good:
            return Level.GOOD
        return Level.MID if sign * value <= sign * self.mid else Level.BAD


ATTACK_LIMITS = Limits(0.09, 0.20)
"""9 % is one in eleven, a limit in common use for data that anyone may have; 20 % is one in five,
what k = 5 guarantees. Of a measured rate the upper end of its interval is compared."""
ROWS_KEPT_LIMITS = Limits(0.99, 0.90, more_is_better=True)
"""Losing one row in a hundred is seldom noticed, one in ten changes counts."""
SHARE_LIMITS = Limits(0.8, 0.6, more_is_better=True)
"""By convention: 80 % and 60 % of customers (or items) where they belong."""
ERROR_LIMITS = Limits(0.1, 0.3)
"""By convention: 10 % and 30 % off."""
