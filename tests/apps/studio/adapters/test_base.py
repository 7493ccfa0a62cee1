"""Tests of tokumei.apps.studio.adapters.base."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from apps.studio.command_equivalents_fixtures import LOOK
from tokumei.api.recipes import parse_recipe
from tokumei.apps.studio.command_equivalents import (
    build_recipe,
    candidate_equivalents,
    format_yaml,
    profile_equivalents,
    purpose_equivalents,
)
from tokumei.apps.studio.store.project_state import KindName, ProjectState


@pytest.mark.parametrize("kind", ["histories", "pseudonyms"])
def test_every_kind_brings_its_recipe_and_its_drawer(kind: KindName) -> None:
    columns = {part: part for part in ("customer", "day", "item", "price", "quantity")}
    made = ProjectState(name="p", source="p.csv", made="now", kind=kind, columns=columns)
    step = {
        "histories": {"method": "rank-match", "k": 3},
        "pseudonyms": {"method": "pseudonyms", "lifetime": 2},
    }[kind]
    request: dict[str, Any] = {
        "kind": kind,
        "steps": [step],
        "columns": {},
        "person": "",
        "consent": [],
    }
    recipe = parse_recipe(format_yaml(build_recipe(made, LOOK, request, "folder/p.csv")))
    assert recipe.kind.name == kind
    for same in (profile_equivalents(made, LOOK), purpose_equivalents(made, LOOK),
                 candidate_equivalents(made, LOOK, request)):  # fmt: skip
        compile(same.python, "drawer", "exec")
        assert shlex.split(same.command.replace("\\\n", " "))[0] == "tokumei"
