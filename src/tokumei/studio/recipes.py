"""What a project decided, as the parts of a recipe: one text for the drawer, jobs and `run`.

recipe = recipe_of(state, look, candidate["request"], "customers.csv")
yaml_text(recipe)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import yaml

from tokumei.core.advice.purpose import Purpose
from tokumei.studio.kinds.kind import NAME, kind_of
from tokumei.studio.store.state import ProjectState


def purpose_of(state: ProjectState) -> Purpose:
    """The purpose; what nobody answered is left to its defaults."""
    return Purpose.from_json(state.purpose.model_dump())


def recipe_of(
    state: ProjectState,
    look: Mapping[str, Any],
    request: Mapping[str, Any],
    file: str,
    place: Callable[[str], str] = str,
) -> dict[str, Any]:
    """The recipe of a request; with a ledger, its release is recorded. `place`: paths in it."""
    made = kind_of(state).recipe(state, look, request, file)
    return made | ledger_part(state, place)


def ledger_part(state: ProjectState, place: Callable[[str], str] = str) -> dict[str, Any]:
    """The recipe's key `ledger`; nothing without one."""
    asked = state.ledger
    if asked is None:
        return {}
    part = {
        "folder": place(asked.folder),
        "key_file": place(asked.key_file) if asked.key_file else None,
        "recipient": asked.recipient,
        "release": NAME,
        "id": asked.id,
    }
    return {"ledger": {key: value for key, value in part.items() if value is not None}}


def yaml_text(part: Mapping[str, Any]) -> str:
    """Plain data as YAML."""
    text: str = yaml.safe_dump(dict(part), allow_unicode=True, sort_keys=False, width=100)
    return text
