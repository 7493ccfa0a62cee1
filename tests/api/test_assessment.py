"""`tk.assess`: its arguments are the fields of a scenario."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tokumei.assessment.assessment import Assessment
from tokumei.core.scenario import Scenario

FRAME = pl.DataFrame({"uid": list("aabbc"), "age": [1, 1, 1, 1, 2], "sex": list("fffmm")})


def assess(**given: object) -> Assessment:
    return tk.assess(FRAME, FRAME.drop("uid"), link=np.arange(5), remedies=False, **given)  # type: ignore[arg-type]


def test_arguments_become_the_scenario() -> None:
    given = {"recipient": "inside", "knows": ["age", "sex~1"], "at_once": 1, "person": "uid"}
    found = assess(**given, limits={"identified": 0.5}, keep={"sex": 2.0})
    assert found.scenario == Scenario.for_recipient(
        "inside",
        knows=["age", "sex~1"],
        at_once=1,
        person="uid",
        limits={"identified": 0.5},
        keep={"sex": 2.0},
    )


def test_a_population_makes_a_journalist() -> None:
    found = assess(knows="age", population=50, person="none")
    assert found.scenario.knows_membership == "journalist"
    # 5 of 50: candidates 4, 4, 4, 4 and 1, each chance divided by ten.
    assert found.attackers[0].guessed_right == pytest.approx((4 * 1 / 4 + 1) / 10)
    assert assess(knows="age").scenario.knows_membership == "prosecutor"


def test_a_scenario_may_be_plain_data_and_stands_for_all_arguments() -> None:
    data = {"recipient": "inside", "knows": ["sex"], "person": "uid"}
    as_data, as_object = assess(scenario=data), assess(scenario=Scenario.from_dict(data))
    assert as_data.to_dict() == as_object.to_dict()
    assert (as_data.knows, as_data.unit, as_data.total) == (("sex",), "people", 3)
    assert assess(scenario=data, recipient="public", knows="age").to_dict() == as_data.to_dict()


def test_one_column_may_be_given_by_its_name() -> None:
    assert assess(qi="age").knows == assess(qi=["age"]).knows == ("age",)
