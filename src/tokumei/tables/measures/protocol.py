"""What a measure of a released table is: the original and its release in, one score out."""

from __future__ import annotations

from typing import ClassVar, Protocol

from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison


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
