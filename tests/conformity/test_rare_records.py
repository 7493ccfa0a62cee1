"""Tests of tokumei.conformity.rare_records."""

from __future__ import annotations

import pytest

from conformity.planted_defects_scene import before, verdicts
from support.clean_releases import clean
from tokumei.conformity.finding import Verdict


@pytest.mark.long
@pytest.mark.parametrize("value", ["a very odd remark", "123456"])
def test_values_that_stand_out_are_left_to_a_human(value: str) -> None:
    column = "age" if value.isdecimal() else "memo"
    assert before()["rare-values"] is Verdict.PASS
    assert verdicts(clean(3).with_cell(column, value))["rare-values"] is Verdict.HUMAN
