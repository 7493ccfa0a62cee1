"""Several figures as one: `combined([0.2, 0.4], "mean")`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean


def combined(values: Sequence[float], how: str) -> float:
    """The values' max, min, mean, harmonic mean (0 if one is 0) or product."""
    if how == "mean":
        return fmean(values)
    if how == "product":
        return math.prod(values)
    if how == "harmonic":
        return len(values) / sum(1 / value for value in values) if all(values) else 0.0
    return {"max": max, "min": min}[how](values)


def total_of(utility: float | None, safety: float | None, how: str) -> float | None:
    """A release's total from U and S (`utility`: U alone); None where a part is lacking."""
    if utility is None or (safety is None and how != "utility"):
        return None
    if safety is None or how == "utility":
        return utility
    if how == "mean":
        return (utility + safety) / 2
    return combined([utility, safety], how)
