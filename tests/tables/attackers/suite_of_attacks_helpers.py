"""What the tests split from test_suite_of_attacks share."""

from __future__ import annotations

from tokumei.core.randomness import Randomness
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.evaluation_suite import attack_suite


def euc2(case: Comparison, **options: bool) -> float:
    found = attack_suite(case, ["EUC2"], rng=Randomness(3), params={"EUC2": options})
    return found["EUC2"].rate
