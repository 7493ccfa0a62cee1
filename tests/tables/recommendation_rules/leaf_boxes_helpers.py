"""What the tests split from test_leaf_boxes share."""

import polars as pl

from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.recommendation_rules.attribute_leaves import RuleAttribute
from tokumei.tables.recommendation_rules.rule_model import parse_wanted

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
