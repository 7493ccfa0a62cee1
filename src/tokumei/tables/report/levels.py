"""Traffic lights: when a figure is good, fair or poor.

The limits are conventions, not laws of nature, and stand here to be argued with:

- attacks: 9 % is one in eleven, a limit in common use for data that anyone may have; 20 % is
  one in five, what k = 5 promises. The upper end of the interval is compared.
- S1: k = 5 is the customary minimum; k = 1 means that somebody is alone.
- U1, U2, U3: 1 % and 5 % of the level of what is measured (5 % is also where diagnosis says ×).
- U4: correlations that move by .05 seldom change a conclusion, by .15 often do.
- U5: 2 % and 10 % of a column's range. gcp: 10 % and 30 % of a column's domain.
- rows kept (and U6 by it): 99 % and 90 %.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tokumei.core.levels import ATTACK_LIMITS, ROWS_KEPT_LIMITS, Level, Limits
from tokumei.core.rates import AttackRate
from tokumei.core.score import Score
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.suite import Strongest

LIMITS: Mapping[str, Limits] = {
    "S1": Limits(5, 2, more_is_better=True),
    "U1": Limits(0.01, 0.05),
    "U2": Limits(0.01, 0.05),
    "U3": Limits(0.01, 0.05),
    "U4": Limits(0.05, 0.15),
    "U5": Limits(0.02, 0.10),
    "U6": Limits(0.01, 0.10),
    "gcp_sets": Limits(0.10, 0.30),
    "rows_kept": ROWS_KEPT_LIMITS,
}
RELATIVE = ("U1", "U2", "U3", "U6")
"""Measures in a unit of their own: their limits are shares of `scale_of`."""


def level(name: str, score: Score, *, scale: float | None = None) -> Level | None:
    """The light of a figure; None for measures without agreed limits or without their scale."""
    if name not in LIMITS or (name in RELATIVE and not scale):
        return None
    value = score.value / scale if name in RELATIVE and scale else score.value
    return LIMITS[name].level(value)


def attack_level(attack: AttackRate | Strongest) -> Level:
    """The light of an attack's success, by the upper end of its interval."""
    return ATTACK_LIMITS.level(attack.high)


def scale_of(name: str, case: Comparison, score: Score) -> float | None:
    """What a figure is compared with: mean level of the SA, rows per cell, rows."""
    if name in ("U1", "U2") and case.sa:
        return float(np.abs(case.sa_original.mean(axis=0)).mean()) or None
    if name == "U3" and score.sample:
        return case.original.rows / score.sample
    return float(case.original.rows) if name == "U6" else None
