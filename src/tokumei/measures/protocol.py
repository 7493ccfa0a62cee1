"""What a measure is: a name, a direction, bounds, and a score."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from tokumei.data.comparison import Comparison
from tokumei.text import Text


class Goal(StrEnum):
    """Which way is better."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"


@dataclass(frozen=True)
class Score:
    """A figure with what is needed to read it."""

    value: float
    low: float | None = None
    high: float | None = None
    baseline: float | None = None
    sample: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The parts that are known."""
        return {name: part for name, part in vars(self).items() if part is not None}


class Measure(Protocol):
    """Scores one release against its original.

    A class with `on_request = True` (slow, or for a special question) is left out unless asked for.
    One with `from_counts = True` needs no link and takes rows that stand for many
    (`data/counted.py`).
    """

    name: ClassVar[str]
    title: ClassVar[Text]
    goal: ClassVar[Goal]
    bounds: ClassVar[tuple[float, float]]
    unit: ClassVar[Text]

    def score(self, case: Comparison) -> Score:
        """The figure."""
        ...
