"""Rules against hierarchies: names, ranges, faults."""

import datetime as dt

import pytest

from tables.recommendation_rules.leaf_boxes_helpers import ALL, BIRTH, HEIGHT, JOB, SALARY, chosen
from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules
from tokumei.tables.recommendation_rules.rule_model import (
    RecommendationRule,
    RuleBox,
    WantedValues,
    parse_wanted,
)


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
    assert message in fault.message.show("en")
    assert "line 7: rule 'charm'" in fault.message.show("en")
    assert (fault.line, fault.column) == (7, attribute)


def test_a_range_may_not_cut_a_leaf_that_is_a_band():
    bands = Hierarchy.of("age", [["[20;29]", "*"], ["[30;39]", "*"]])
    assert chosen(bands, ">=30") == ["[30;39]"]
    with pytest.raises(InputError, match="cuts through a leaf"):
        chosen(bands, ">=35")
