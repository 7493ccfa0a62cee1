"""Scenarios: the defaults of each recipient, and what is known roughly."""

from __future__ import annotations

from typing import Any

import pytest

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.scenario import ColumnKnowledge, Scenario, ScenarioLimits


@pytest.mark.parametrize(
    ("recipient", "limits"),
    [
        ("public", ScenarioLimits(0.0, 0.05, 20)),
        ("partner", ScenarioLimits(0.0, 0.20, 5)),
        ("inside", ScenarioLimits(0.01, 0.34, 3)),
    ],
)
def test_limits_of_a_recipient(recipient: str, limits: ScenarioLimits) -> None:
    assert Scenario.for_recipient(recipient).limits == limits
    assert Scenario.from_dict({"recipient": recipient}).limits == limits


def test_a_limit_that_is_given_leaves_the_others() -> None:
    scenario = Scenario.for_recipient("public", limits={"smallest_class": 50})
    assert scenario.limits == ScenarioLimits(0.0, 0.05, 50)


@pytest.mark.parametrize(
    ("text", "knowledge"),
    [
        ("age", ColumnKnowledge("age")),
        ("date~30d", ColumnKnowledge("date", days=30)),
        ("amount~2.5%", ColumnKnowledge("amount", percent=2.5)),
        ("postcode~3", ColumnKnowledge("postcode", first=3)),
        ("city~up", ColumnKnowledge("city", levels=1)),
        ("a~b~7d", ColumnKnowledge("a~b", days=7)),
    ],
)
def test_knowledge_of_a_column_is_read_and_written(text: str, knowledge: ColumnKnowledge) -> None:
    assert ColumnKnowledge.parse(text) == knowledge
    assert knowledge.text == text
    assert knowledge.is_exact == (text == "age")


@pytest.mark.parametrize("text", ["age~", "age~about", "age~-3", "age~3w"])
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not understood"):
        ColumnKnowledge.parse(text)


def test_a_column_is_known_in_one_way() -> None:
    with pytest.raises(UsageError, match="two ways"):
        ColumnKnowledge("date", days=3, first=4)


def test_a_scenario_is_plain_data_and_back() -> None:
    scenario = Scenario.for_recipient(
        "inside",
        knows=["age", "day~7d"],
        at_once=1,
        knows_membership="journalist",
        population=5000,
        holds=("town",),
        person="uid",
        limits={"identified": 0.5},
        keep={"age": 2.0},
    )
    data = scenario.to_dict()
    assert data["knows"] == ["age", "day~7d"]
    assert Scenario.from_dict(data) == scenario


@pytest.mark.parametrize(
    "data",
    [{"recipient": "everybody"}, {"limits": {"found": 0.1}}, {"knowledge": ["age"]}],
)
def test_names_that_nobody_knows_are_refused(data: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError):
        Scenario.from_dict(data)


def test_at_least_one_column_is_known_at_once() -> None:
    with pytest.raises(UsageError):
        Scenario(at_once=0)
