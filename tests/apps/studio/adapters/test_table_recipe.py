"""Tests of tokumei.apps.studio.adapters.table_recipe."""

from __future__ import annotations

from tokumei.apps.studio.adapters.table_recipe import column_fates, recipe_data
from tokumei.apps.studio.store.project_state import ProjectState, ReadingState

STATE = ProjectState(
    name="a", source="a.csv", made="x", person="id",
    roles={"id": "quasi", "age": "quasi", "mail": "identifier", "note": "replace", "x": "drop"},
    reading=ReadingState(sep=";", header_row="2"),
)  # fmt: skip


def test_the_persons_column_never_leaves() -> None:
    assert column_fates(STATE) == {
        "id": "drop", "age": "generalize", "mail": "drop", "note": "pass", "x": "drop",
    }  # fmt: skip


def test_what_was_said_of_the_file_is_in_the_recipe() -> None:
    look = {"dialect": {"plain": False, "sheet": None, "header_row": 1}, "person": None}
    part = recipe_data(STATE, look, "a.csv")  # type: ignore[arg-type]
    assert (part["sep"], part["header_row"], part["person"]) == (";", 2, "id")
    assert (part["qi"], part["ids"], part["scrub"]) == (["age"], ["mail"], ["note"])
