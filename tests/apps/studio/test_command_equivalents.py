"""What the studio exports is what the library reads: recipes, the drawer, evidence of readers."""

from __future__ import annotations

import shlex

import yaml

from apps.studio.command_equivalents_fixtures import LOOK, REQUEST
from apps.studio.command_equivalents_fixtures import state as state
from tokumei.api.recipes import parse_recipe
from tokumei.apps.studio.command_equivalents import (
    assessment_equivalents,
    build_recipe,
    candidate_equivalents,
    format_yaml,
    profile_equivalents,
    purpose_equivalents,
    release_equivalents,
    to_purpose,
)
from tokumei.apps.studio.store.project_state import (
    LedgerState,
    ProjectState,
    PurposeState,
    ScenarioState,
)
from tokumei.core.advice.purpose import Purpose
from tokumei.tables.recipe import TableRecipe

ROUGHLY = ScenarioState(roughly={"age": "10%"}, smallest_class=9)


def test_the_purpose_is_the_librarys(state: ProjectState) -> None:
    assert to_purpose(state) == Purpose("public", ("age",), ("pay",), k=7)


def test_commands_can_be_pasted(state: ProjectState) -> None:
    for same in (
        profile_equivalents(state, LOOK),
        purpose_equivalents(state, LOOK),
        candidate_equivalents(state, LOOK, REQUEST),
        assessment_equivalents(state, LOOK, REQUEST),
        release_equivalents(state, LOOK, REQUEST, "/a folder/x"),
    ):
        assert shlex.split(same.command.replace("\\\n", " "))
        compile(same.python, "drawer", "exec")
        assert isinstance(yaml.safe_load(same.yaml), dict)
    words = shlex.split(candidate_equivalents(state, LOOK, REQUEST).command.replace("\\\n", " "))
    assert words[words.index("--qi") + 1] == "age,zip's"
    assert words[words.index("--id") + 1] == "名 前"


def test_a_ledger_is_part_of_the_recipe_and_of_the_drawer(state: ProjectState) -> None:
    asked = LedgerState(folder="/l/ledger", key_file="/k/l.key", recipient="A B", id="名 前")
    state = state.model_copy(update={"ledger": asked})
    recipe = build_recipe(state, LOOK, REQUEST, "people.csv", lambda path: path[1:])
    read = parse_recipe(format_yaml(recipe))
    assert isinstance(read, TableRecipe)
    assert read.ledger is not None
    assert (read.ledger.folder, read.ledger.key_file) == ("l/ledger", "k/l.key")
    assert (read.ledger.recipient, read.ledger.id, read.ledger.release) == (
        "A B",
        "名 前",
        "release",
    )
    same = candidate_equivalents(state, LOOK, REQUEST)
    words = shlex.split(same.command.replace("\\\n", " "))
    assert words[words.index("--recipient") + 1] == "A B"
    assert words[words.index("--ledger-key") + 1] == "/k/l.key"
    compile(same.python, "drawer", "exec")


def test_tables_to_count_are_asked_for(state: ProjectState) -> None:
    purpose = state.purpose.model_copy(update={"tables": [["age", "pay"]]})
    state = state.model_copy(update={"purpose": purpose})
    assert to_purpose(state).tables == (("age", "pay"),)
    same = purpose_equivalents(state, LOOK)
    assert "--count age,pay" in same.command.replace("\\\n", " ")
    assert "tables=(('age', 'pay'),)" in same.python


def test_the_assessment_is_a_command_under_the_same_scenario(state: ProjectState) -> None:
    state = state.model_copy(
        update={"purpose": PurposeState(known=["age", "zip's"]), "scenario": ROUGHLY}
    )
    same = assessment_equivalents(state, LOOK, REQUEST)
    words = shlex.split(same.command.replace("\\\n", " ").partition("\ntokumei assess")[2])
    assert words[words.index("--knows") + 1] == "age~10%,zip's"
    assert "smallest_class=9" in words
    assert "'smallest_class': 9" in same.python
