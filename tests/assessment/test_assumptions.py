"""What a verdict takes for granted."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from tests.assessment.small_releases import AGES, figures, open_frames

from tokumei.assessment.assumptions import list_assumptions
from tokumei.core.scenario import ColumnKnowledge, Scenario

FRAME = pl.DataFrame({"uid": list("aabbccddee"), "age": AGES, "sex": ["f"] * 5 + ["m"] * 5})
RELEASE = FRAME.select("age", "sex").with_columns(one=pl.lit(1))


def codes(knows: list[str], *attackers: Any, person: str | None = "uid", **scenario: Any) -> Any:
    opened = open_frames(FRAME.with_columns(one=pl.lit(1)), RELEASE, person=person)
    given = Scenario.for_recipient("partner", person=person, **scenario)
    known = [ColumnKnowledge.parse(text) for text in knows]
    found = list_assumptions(opened, given, known, attackers)
    return [(assumption.code, assumption.columns) for assumption in found]


@pytest.mark.parametrize(
    ("knows", "given", "expected"),
    [
        (["age", "sex"], {}, []),  # a constant column tells nothing
        (["age"], {}, [("does-not-know", ("sex",))]),
        (["age~10%", "sex"], {}, [("roughly", ("age",))]),
        (["age", "sex"], {"at_once": 1}, [("at-once", ())]),
        (["age", "sex"], {"at_once": 2}, []),
        (["age", "sex"], {"population": 99}, []),
        (
            ["age", "sex"],
            {"population": 99, "knows_membership": "journalist"},
            [("membership", ())],
        ),
        (["age", "sex"], {"person": "none"}, [("rows-are-people", ())]),
    ],
)
def test_assumptions_are_those_of_the_scenario(
    knows: list[str], given: dict[str, Any], expected: list[Any]
) -> None:
    assert codes(knows, **given) == expected


def test_certain_values_are_accepted_as_the_strongest_attacker_learns_them() -> None:
    attackers = [figures(certain_values={"sex": n, "town": 0}) for n in (3, 7)]
    opened = open_frames(FRAME, RELEASE, person="uid")
    known = [ColumnKnowledge("age"), ColumnKnowledge("sex")]
    (found,) = list_assumptions(opened, Scenario(person="uid"), known, attackers)
    assert (found.code, found.columns) == ("values-certain", ("sex",))
    assert "sex becomes known for certain for 7 people" in found.message.show("en")
