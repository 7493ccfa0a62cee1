"""Tests of tokumei.tables.advice.choice_summary."""

from __future__ import annotations

from tables.choosing_samples import members
from tokumei.tables import choose


def test_exact_columns_are_blamed_and_the_cheapest_step_is_shown() -> None:
    frame = members(600, paid=[float(1000 + 37 * i) for i in range(600)])
    found = choose(frame, "mondrian", [5, 30], qi=["age", "sex"], sa=["paid"], seed=1)
    assert found.good() is None
    assert found.blamed == {"paid": 1.0}
    assert found.remedy is not None
    assert found.good(found.remedy.points) is not None
    assert "No k helps" in found.advice.show("en")
    assert "the exact values of paid identify 100 %" in found.advice.show("en")
    assert "どの k でも足りません" in found.advice.show("ja")
    data = found.as_json()
    assert data["k"] is None
    assert data["remedy"]["columns"] == ["paid"]
