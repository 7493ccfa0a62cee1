"""Tests of tokumei.tables.measures.cross_table."""

from __future__ import annotations

import pytest
from hypothesis import given

from support.small_tables import Small
from tables.measures.measures_reference_samples import GENERAL, u2, u3
from tokumei.tables.registry import measures


@given(case=GENERAL)
def test_cross_table_over_one_chosen_column(case: Small) -> None:
    one = Small(["q1"], case.sa, [r[1:] for r in case.original], [r[1:] for r in case.released], [])
    full = case.case(cross=("q1",))
    assert measures.build("U2").score(full).value == pytest.approx(u2(one))
    assert measures.build("U3").score(full).value == pytest.approx(u3(one))
