"""Tests of tokumei.tables.recommendation_rules.rule_model."""

import pytest

from tables.recommendation_rules.leaf_boxes_helpers import ALL
from tokumei.core.errors import InputError
from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules
from tokumei.tables.recommendation_rules.rule_model import RecommendationRule, RuleBox, WantedValues


def test_all_faults_at_once_by_line():
    boxes = (
        RuleBox({"job": WantedValues(("x",)), "sex": WantedValues(("m",))}, {"job": 9, "sex": 3}),
        RuleBox({"height": WantedValues(("1",))}, {"height": 4}),
    )
    with pytest.raises(InputError) as caught:
        leaf_rules([RecommendationRule("r", boxes)], ALL)
    assert [fault.line for fault in caught.value.faults] == [3, 4, 9]
