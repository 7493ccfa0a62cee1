"""Rules against hierarchies: names, ranges, faults."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.dates import date_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.recommendation_rules.attribute_leaves import RuleAttribute
from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules
from tokumei.tables.recommendation_rules.rule_model import (
    RecommendationRule,
    RuleBox,
    WantedValues,
    parse_wanted,
)

HEIGHT = builtin_hierarchy("height", first="140", last="190")
BIRTH = builtin_hierarchy("birth-date", column="birth", first="1976-06-01", last="1980-02-29")
JOB = Hierarchy.of(
    "job", [["cook", "service", "*"], ["nurse", "care", "*"], ["doctor", "care", "*"]]
)
SALARY = Hierarchy.of("salary", [[">50K", "*"], ["<=50K", "*"]])
ALL = {"height": HEIGHT, "birth": BIRTH, "job": JOB, "salary": SALARY}


def chosen(hierarchy, text):
    inside = RuleAttribute(hierarchy).leaves(parse_wanted(text))
    return hierarchy.leaves.filter(pl.Series(inside)).to_list()


@pytest.mark.parametrize(
    ("hierarchy", "text", "leaves"),
    [
        (JOB, "nurse", ["nurse"]),
        (JOB, "care", ["nurse", "doctor"]),
        (JOB, "{cook;doctor}", ["cook", "doctor"]),
        (HEIGHT, "<=142", ["140", "141", "142"]),
        (HEIGHT, "≤ 142", ["140", "141", "142"]),
        (HEIGHT, "<142", ["140", "141"]),
        (HEIGHT, ">188", ["189", "190"]),
        (HEIGHT, ">=189", ["189", "190"]),
        (HEIGHT, "[165;167]", ["165", "166", "167"]),
        (HEIGHT, "[165.5;167]", ["166", "167"]),
        (HEIGHT, "[180;189]", [str(cm) for cm in range(180, 190)]),
        (HEIGHT, "170.0", ["170"]),
        (BIRTH, "1980-02-29", ["1980-02-29"]),
        (BIRTH, ">1980-02-27", ["1980-02-28", "1980-02-29"]),
        (BIRTH, ">=1980-02", [f"1980-02-{day:02}" for day in range(1, 30)]),
        (SALARY, "<=50K", ["<=50K"]),
    ],
)
def test_wanted_leaves(hierarchy, text, leaves):
    assert chosen(hierarchy, text) == leaves


def days(first, last):
    return [str(first + dt.timedelta(days=n)) for n in range((last - first).days + 1)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("[1977;1979]", dt.date(1977, 1, 1), dt.date(1979, 12, 31)),
        ("<1977", dt.date(1976, 6, 1), dt.date(1976, 12, 31)),
        ("<=1977", dt.date(1976, 6, 1), dt.date(1977, 12, 31)),
        (">1978", dt.date(1979, 1, 1), dt.date(1980, 2, 29)),
        ("[1977-12;1978-1]", dt.date(1977, 12, 1), dt.date(1978, 1, 31)),
        ("1978", dt.date(1978, 1, 1), dt.date(1978, 12, 31)),
        ("1970s", dt.date(1976, 6, 1), dt.date(1979, 12, 31)),
    ],
)
def test_a_year_or_month_stands_for_its_days(text, first, last):
    assert chosen(BIRTH, text) == days(first, last)


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


def test_attributes_that_a_box_does_not_name_are_open():
    (rule,) = leaf_rules(
        [RecommendationRule("r", (RuleBox({"job": WantedValues(("care",))}),))], ALL
    )
    inside = dict(zip(ALL, rule.insides[0], strict=True))
    assert inside.pop("job").tolist() == [False, True, True]
    assert all(part.all() for part in inside.values())


@pytest.mark.parametrize(
    ("attribute", "text", "message"),
    [
        ("hight", "170", "attribute 'hight': there is no such attribute; did you mean 'height'"),
        ("job", "nurze", "there is no 'nurze' in the hierarchy; did you mean 'nurse'"),
        ("job", "<=3", "'<=3' is a range, but the leaves are neither numbers nor dates"),
        ("height", ">=200", "'>=200' contains no leaf"),
        ("height", "<=tall", "'tall' is not a number"),
        ("birth", "<=170000", "'170000' is not a date"),
        ("birth", "[1978-13;1979]", "there is no date 1978-13"),
        ("height", "<=1977-01-01", "'1977-01-01' is not a number"),
    ],
)
def test_a_fault_names_line_rule_and_attribute(attribute, text, message):
    box = RuleBox({attribute: parse_wanted(text)}, {attribute: 7})
    with pytest.raises(InputError, match=r"r\.yaml: the rules do not fit") as caught:
        leaf_rules([RecommendationRule("charm", (box,))], ALL, where="r.yaml")
    (fault,) = caught.value.faults
    assert message in fault.message.en
    assert "line 7: rule 'charm'" in fault.message.en
    assert (fault.line, fault.column) == (7, attribute)


def test_all_faults_at_once_by_line():
    boxes = (
        RuleBox({"job": WantedValues(("x",)), "sex": WantedValues(("m",))}, {"job": 9, "sex": 3}),
        RuleBox({"height": WantedValues(("1",))}, {"height": 4}),
    )
    with pytest.raises(InputError) as caught:
        leaf_rules([RecommendationRule("r", boxes)], ALL)
    assert [fault.line for fault in caught.value.faults] == [3, 4, 9]


def test_a_range_may_not_cut_a_leaf_that_is_a_band():
    bands = Hierarchy.of("age", [["[20;29]", "*"], ["[30;39]", "*"]])
    assert chosen(bands, ">=30") == ["[30;39]"]
    with pytest.raises(InputError, match="cuts through a leaf"):
        chosen(bands, ">=35")


def test_missing_values_lie_in_no_range():
    born = date_hierarchy(pl.Series("d", [None, dt.date(1999, 1, 2)]), levels=["year"])
    assert chosen(born, ">=1900") == ["1999-01-02"]
    assert RuleAttribute(born).leaves(WantedValues(low="1900")).tolist() == [True, False]
    assert RuleAttribute(born).leaves(WantedValues(values=("1999",))).tolist() == [True, False]


def test_a_day_holds_all_its_times():
    times = [dt.datetime(2011, 1, day, hour) for day in (4, 5, 6) for hour in (0, 23)]
    visits = date_hierarchy(pl.Series("t", times), levels=["day"])
    assert chosen(visits, "<=2011-01-05") == chosen(visits, "<2011-01-06") != []
    assert len(chosen(visits, "<=2011-01-05")) == 4
    assert chosen(visits, ">2011-01-05") == chosen(visits, ">=2011-01-06")
    assert len(chosen(visits, ">2011-1-5")) == 2


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
