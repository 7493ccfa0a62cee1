"""Tests of tokumei.apps.studio.store.project_state."""

from __future__ import annotations

from tokumei.apps.studio.store.project_state import ProjectState


def test_results_depend_on_the_decisions_they_are_made_of() -> None:
    state = ProjectState(name="x", source="x.csv", made="now", roles={"a": "quasi"})
    other = state.model_copy(update={"roles": {"a": "drop"}})
    moved = state.model_copy(update={"step": "release", "stamp": 9})
    assert state.inputs("candidates") != other.inputs("candidates")
    assert state.inputs("candidates") == moved.inputs("candidates")
