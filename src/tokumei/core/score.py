"""Scores: a figure with what is needed to read it, and which way is better."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


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
