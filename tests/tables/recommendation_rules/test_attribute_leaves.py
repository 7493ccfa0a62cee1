"""Tests of tokumei.tables.recommendation_rules.attribute_leaves."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.recommendation_rules.leaf_boxes_helpers import HEIGHT, JOB, SALARY, chosen
from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.dates import date_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.recommendation_rules.attribute_leaves import RuleAttribute
from tokumei.tables.recommendation_rules.rule_model import WantedValues

ends = st.none() | st.integers(135, 195)


@given(low=ends, high=ends, open_low=st.booleans(), more=st.booleans())
def test_a_range_holds_exactly_the_numbers_between_its_ends(low, high, open_low, more):
    wanted = WantedValues(
        low=None if low is None else str(low),
        high=None if high is None else str(high),
        open_low=open_low,
        open_high=more,
    )
    inside = [
        cm
        for cm in range(140, 191)
        if (low is None or cm > low or (cm == low and not open_low))
        and (high is None or cm < high or (cm == high and not more))
    ]
    if inside:
        assert (np.flatnonzero(RuleAttribute(HEIGHT).leaves(wanted)) + 140).tolist() == inside
    else:
        with pytest.raises(InputError, match="contains no leaf"):
            RuleAttribute(HEIGHT).leaves(wanted)


def test_missing_values_lie_in_no_range():
    born = date_hierarchy(pl.Series("d", [None, dt.date(1999, 1, 2)]), levels=["year"])
    assert chosen(born, ">=1900") == ["1999-01-02"]
    assert RuleAttribute(born).leaves(WantedValues(low="1900")).tolist() == [True, False]
    assert RuleAttribute(born).leaves(WantedValues(values=("1999",))).tolist() == [True, False]


@pytest.mark.parametrize(
    ("hierarchy", "cell", "leaves"),
    [
        (JOB, "*", ["cook", "nurse", "doctor"]),
        (JOB, "{cook;nurse}", ["cook", "nurse"]),
        (HEIGHT, "[140;142]", ["140", "141", "142"]),
        (SALARY, "<=50K", ["<=50K"]),
        (Hierarchy.of("x", [["a", "a", "*"], ["b", "a", "*"], ["c", "c", "*"]]), "a", ["a", "b"]),
        (Hierarchy.of("x", [["", "*"], ["b", "*"]]), None, [""]),
    ],
)
def test_the_leaves_behind_a_released_cell(hierarchy, cell, leaves):
    inside = RuleAttribute(hierarchy).cell(cell)
    assert hierarchy.leaves.filter(pl.Series(inside)).to_list() == leaves
