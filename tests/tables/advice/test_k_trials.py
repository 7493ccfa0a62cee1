"""Tests of tokumei.tables.advice.k_trials."""

from __future__ import annotations

from tables.choosing_samples import members
from tokumei.tables import choose


def test_a_k_that_suffices_is_advised() -> None:
    found = choose(members(2400), "mondrian", [2, 60], qi=["age", "sex"], max_rate=0.09, seed=1)
    good = found.good()
    assert good is not None
    assert good.by_all.high <= 0.09
    assert found.advice.show("en").startswith(
        f"k = {good.k}: at most 1 in {int(1 / good.by_all.high)} rows"
    )
    assert found.remedy is None
