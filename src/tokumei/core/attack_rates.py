"""Success rate of an attack, with its interval and the rate of a blind guess."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from tokumei.core.json_types import JsonObject


@dataclass(frozen=True)
class AttackRate:
    """How often an attack was right.

    `rate` is the share of the released rows whose guess equals the truth (the paper's Table 11),
    `rate_original` the same hits over the rows of the original (the paper's text).
    `low`, `high`: Wilson score interval. `baseline`: a blind guess among all known rows.
    """

    rate: float
    low: float
    high: float
    baseline: float
    hits: float
    answered: int
    released: int
    original: int

    @property
    def rate_original(self) -> float:
        """Hits over the rows of the original."""
        return self.hits / self.original

    def as_json(self) -> JsonObject:
        """All figures as plain data."""
        return {**vars(self), "rate_original": self.rate_original}


def wilson(hits: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson (1927) score interval of hits out of n."""
    if n == 0:
        return 0.0, 1.0
    z = float(ndtri(0.5 + confidence / 2))
    p, zz = hits / n, z * z / n
    middle = (p + zz / 2) / (1 + zz)
    half = z / (1 + zz) * np.sqrt(p * (1 - p) / n + zz / (4 * n))
    low = 0.0 if hits <= 0 else max(0.0, float(middle - half))
    return low, 1.0 if hits >= n else min(1.0, float(middle + half))
