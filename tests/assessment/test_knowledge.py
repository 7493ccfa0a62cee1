"""Which columns each attacker of a scenario knows."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from tests.assessment.small_releases import AGES, open_frames

from tokumei.assessment.knowledge import (
    MAX_COMBINATIONS,
    attack_by_scenario,
    attack_with_everything,
    known_columns,
    population_fraction,
    untried_combinations,
)
from tokumei.core.errors import TokumeiError
from tokumei.core.scenario import ColumnKnowledge, Scenario

FRAME = pl.DataFrame(
    {"age": AGES, "sex": ["f", "m"] * 5, "town": ["x"] * 9 + ["y"], "uid": list("abcdefghij")}
)
OPENED = open_frames(FRAME, FRAME.drop("uid"), qi=["age", "uid"])


@pytest.mark.parametrize(
    ("recipient", "given", "columns"),
    [
        ("public", {}, ["age", "sex", "town"]),  # whatever leaves
        ("partner", {}, ["age"]),  # quasi-identifiers that leave
        ("inside", {}, ["age"]),
        ("inside", {"knows": ["sex", "uid"]}, ["sex"]),
        ("partner", {"holds": ("town", "age")}, ["age", "town"]),
    ],
)
def test_known_columns_are_those_that_leave(
    recipient: str, given: dict[str, Any], columns: list[str]
) -> None:
    known = known_columns(OPENED, Scenario.for_recipient(recipient, **given))
    assert known is not None
    assert [knowledge.column for knowledge in known] == columns


def test_what_is_known_roughly_is_not_known_better_by_holding_it() -> None:
    scenario = Scenario.for_recipient("partner", knows=["age~10%"], holds=("age",))
    assert known_columns(OPENED, scenario) == [ColumnKnowledge("age", percent=10)]


def test_without_quasi_identifiers_nobody_says_what_a_partner_knows() -> None:
    opened = open_frames(FRAME)
    assert known_columns(opened, Scenario.for_recipient("partner")) is None
    assert known_columns(opened, Scenario.for_recipient("public")) is not None


def test_a_column_that_is_not_there_cannot_be_known() -> None:
    with pytest.raises(TokumeiError, match="passport"):
        known_columns(OPENED, Scenario(knows=(ColumnKnowledge("passport"),)))


def test_every_combination_of_columns_known_at_once_is_an_attacker() -> None:
    knows = [ColumnKnowledge(name) for name in ("sex", "town", "age")]
    found = attack_by_scenario(OPENED, Scenario(at_once=2), knows)
    # sex, town: y alone is one person; age makes all ten unique.
    assert [(attacker.knows, attacker.identified) for attacker in found] == [
        (("sex", "age"), 10),
        (("town", "age"), 10),
        (("sex", "town"), 1),
    ]


@pytest.mark.parametrize(
    ("columns", "at_once", "untried"), [(8, 3, 0), (9, 3, 84 - MAX_COMBINATIONS), (9, None, 0)]
)
def test_combinations_that_were_not_tried_are_counted(
    columns: int, at_once: int | None, untried: int
) -> None:
    knows = [ColumnKnowledge(str(number)) for number in range(columns)]
    assert untried_combinations(Scenario(at_once=at_once), knows) == untried


@pytest.mark.parametrize(
    ("membership", "population", "fraction"),
    [
        ("journalist", 40, 0.25),
        ("journalist", 5, 1.0),
        ("journalist", None, 1.0),
        ("prosecutor", 40, 1.0),
    ],
)
def test_only_a_journalist_divides_by_the_population(
    membership: Any, population: int | None, fraction: float
) -> None:
    scenario = Scenario(knows_membership=membership, population=population)
    assert population_fraction(OPENED, scenario) == fraction


def test_the_bound_finds_people_by_value_where_the_link_is_wrong() -> None:
    swapped = open_frames(FRAME, FRAME.drop("uid"), link=[1, 0, *range(2, 10)])
    assert attack_with_everything(OPENED, Scenario()).identified == 10
    assert attack_with_everything(swapped, Scenario()).identified == 10


def test_rows_put_together_by_a_column_never_hide_who_is_found_by_a_single_row() -> None:
    original = pl.DataFrame({"city": ["west", "west", "east"], "person": ["p3", "p2", "p2"]})
    released = pl.DataFrame({"city": ["west", "east", "east"]})
    opened = open_frames(original, released, person="person", qi=("city",))
    assert opened.links_rows
    (found, *_) = attack_by_scenario(opened, Scenario(person="person"), [ColumnKnowledge("city")])
    assert (found.identified, found.not_fitting) == (2, 0)
