"""What the tests split from test_attack_suite share."""

from __future__ import annotations

from tokumei.core.attack_rates import AttackRate, wilson

DEFAULTS = ["U1", "U2", "U3", "U4", "U5", "U6", "S1", "S2", "dm", "c_avg", "gcp_sets", "rows_kept"]


def rate(hits: float, n: int = 100) -> AttackRate:
    low, high = wilson(hits, n)
    return AttackRate(hits / n, low, high, 1 / 200, hits, n, n, 200)
