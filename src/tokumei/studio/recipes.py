"""What a project decided, as the parts of a recipe: one text for the drawer, jobs and `run`.

recipe = table_recipe(state, look, candidate["request"], "customers.csv")
yaml_text(recipe)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from tokumei.core.advice.purpose import Purpose
from tokumei.studio.store.state import ProjectState

FATES = {"quasi": "generalize", "sensitive": "protect", "keep": "pass"}
NAME = "release"


def fates_of(state: ProjectState) -> dict[str, str]:
    """By column what becomes of it, as `advise` takes it; the person's column leaves, too."""
    found = {name: FATES.get(role, "drop") for name, role in state.roles.items()}
    if state.person is not None:
        found[state.person] = "drop"
    return found


def purpose_of(state: ProjectState) -> Purpose:
    """The purpose; what nobody answered is left to its defaults."""
    return Purpose.from_json(state.purpose.model_dump())


def data_part(
    state: ProjectState,
    look: Mapping[str, Any],
    file: str,
    request: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The recipe's key `data`: where the table is, how it is read, what its columns are."""
    fates = fates_of(state) if request is None else request["columns"]
    consent = [] if request is None else request["consent"]

    def named(*wanted: str, among: Sequence[str] = tuple(state.roles)) -> list[str]:
        return [name for name in among if fates.get(name, "drop") in wanted]

    part: dict[str, Any] = {"file": file, "normalize": True, **_reading(look["dialect"])}
    part |= {"qi": named("generalize"), "sa": named("protect"), "ids": named("drop")}
    part |= {
        "passed": named("pass", "protect", among=consent),
        "qi_anyway": named("generalize", among=consent),
        "person": None if state.person else "none",
        "no_normalize": list(state.off),
        "bad_cells": "missing",
    }
    return {key: value for key, value in part.items() if value not in (None, [])}


def _reading(dialect: Mapping[str, Any]) -> dict[str, Any]:
    """How the file is written, where a strict reader would not find it out."""
    if dialect["plain"]:
        return {}
    return {"sheet": dialect["sheet"], "header_row": dialect["header_row"] or "none"}


def table_recipe(
    state: ProjectState, look: Mapping[str, Any], request: Mapping[str, Any], file: str
) -> dict[str, Any]:
    """A recipe that makes, attacks and measures the release of a request."""
    return {
        "title": state.name,
        "data": data_part(state, look, file, request),
        "releases": [{"name": NAME, "steps": [dict(step) for step in request["steps"]]}],
        "attacks": [],
        "measures": [],
    }


def history_part(state: ProjectState, file: str) -> dict[str, Any]:
    """The recipe's key `history`."""
    if state.contest is not None:
        return {"file": file, "format": "pws2018"}
    return {"file": file, "format": "table", "columns": dict(state.columns)}


def history_recipe(state: ProjectState, request: Mapping[str, Any], file: str) -> dict[str, Any]:
    """A recipe that makes, attacks and measures the release of a request for a history."""
    (step,) = request["steps"]
    k = int(step["k"])
    ks = sorted({2, 3, 5, 10, 20, k})
    return {
        "title": state.name,
        "history": history_part(state, file),
        "sweeps": [{**step, "k": ks}],
        "chosen": k,
        "releases": [{"name": NAME, **step}],
    }


def recipe_of(
    state: ProjectState, look: Mapping[str, Any], request: Mapping[str, Any], file: str
) -> dict[str, Any]:
    """The recipe of a request, whatever the kind."""
    if state.kind == "histories":
        return history_recipe(state, request, file)
    return table_recipe(state, look, request, file)


def yaml_text(part: Mapping[str, Any]) -> str:
    """Plain data as YAML."""
    text: str = yaml.safe_dump(dict(part), allow_unicode=True, sort_keys=False, width=100)
    return text
