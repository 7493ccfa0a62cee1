"""Tests of tokumei.api.advisers."""

from __future__ import annotations

import pytest

from tables.advice_helpers import PARTNER, people
from tokumei.advice import adviser
from tokumei.core.errors import UsageError


@pytest.mark.long
def test_wishes_lead_to_candidates_nearby() -> None:
    asked = adviser(people(), PARTNER)
    begun = list(asked.steps(steps=2))[-1]
    k = begun.request.k or 0
    safer = [one for one in asked.near(begun, "safer") if one.attacked]
    assert any(one.request.k == 2 * k for one in safer)
    assert any(one.request.columns != begun.request.columns for one in safer)
    assert all(one.request.columns["diagnosis"] != "drop" for one in safer)
    finer = [one.request.k or 0 for one in asked.near(begun, "more detail")]
    assert finer
    assert max(finer) <= k
    (_, without) = asked.near(begun, "drop", column="sex")
    assert without.request.columns["sex"] == "drop"
    assert "sex" not in asked.release(without.request).public.schema.names
    for one in asked.near(begun, "without suppressed rows"):
        assert one.figures.rows_kept == 1
    with pytest.raises(UsageError):
        list(asked.near(begun, "drop", column="nothing"))
