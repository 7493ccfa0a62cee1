"""Tests of tokumei.apps.studio.scenario."""

from __future__ import annotations

from tokumei.apps.studio.scenario import to_scenario
from tokumei.apps.studio.store.project_state import ProjectState, PurposeState, ScenarioState
from tokumei.core.scenario import DEFAULT_LIMITS, ColumnKnowledge, Scenario

STATE = ProjectState(
    name="people",
    source="people.csv",
    made="2026-11-16T08:05:09Z",
    roles={"id": "identifier", "age": "quasi", "zip": "quasi", "note~up": "keep", "x": "drop"},
    person="id",
)


def test_without_answers_the_recipient_s_conventions_hold() -> None:
    scenario = to_scenario(STATE)
    assert scenario.recipient == "partner"
    assert scenario.limits == DEFAULT_LIMITS["partner"]
    assert scenario.knows == (ColumnKnowledge("age"), ColumnKnowledge("zip"))
    assert scenario.person == "id"
    assert to_scenario(STATE.model_copy(update={"person": None})).person == "none"


def test_anybody_may_know_every_column_that_leaves() -> None:
    public = PurposeState(recipient="public", known=["age"])
    assert to_scenario(STATE.model_copy(update={"purpose": public})).knows is None


def test_answers_stand_in_place_of_conventions() -> None:
    state = STATE.model_copy(
        update={
            "purpose": PurposeState(known=["zip", "note~up", "x"], keep=["age"]),
            "scenario": ScenarioState(
                roughly={"zip": "3", "age": "10%"}, guessed_right=0.1, population=900, at_once=1
            ),
        }
    )
    scenario = to_scenario(state)
    assert scenario.knows == (ColumnKnowledge("zip", first=3), ColumnKnowledge("note~up"))
    assert scenario.limits.guessed_right == 0.1
    assert scenario.limits.smallest_class == DEFAULT_LIMITS["partner"].smallest_class
    assert (scenario.population, scenario.knows_membership) == (900, "journalist")
    assert scenario.at_once == 1
    assert scenario.keep["age"] > 1
    assert Scenario.from_dict(scenario.to_dict()).limits == scenario.limits


def test_every_part_of_the_scenario_voids_candidates() -> None:
    for part, answer in (
        ("roughly", {"age": "10%"}),
        ("at_once", 2),
        ("population", 100),
        ("identified", 0.5),
        ("guessed_right", 0.5),
        ("smallest_class", 2),
    ):
        other = STATE.model_copy(update={"scenario": ScenarioState(**{part: answer})})
        assert other.inputs("candidates") != STATE.inputs("candidates")
