"""What a measure of a released table is: the original and its release in, one score out."""

from __future__ import annotations

from typing import ClassVar, Protocol

from tokumei.core import measure
from tokumei.tables.data.comparison import Comparison


class Measure(measure.Measure[Comparison], Protocol):
    """Scores one released table against its original."""

    from_counts: ClassVar[bool] = False
    """Whether it needs no link and takes rows that stand for many (`data/counted.py`)."""
