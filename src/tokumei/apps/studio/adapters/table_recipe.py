"""The decisions of a table's project as its recipe and its adviser take them."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import (
    DialectRecord,
    PlainData,
    ProfileRecord,
    RequestRecord,
)

FATE_BY_ROLE = {"quasi": "generalize", "sensitive": "protect", "keep": "pass", "replace": "pass"}
OPTION_FATES = {"--qi": "generalize", "--sa": "protect", "--pass": "pass", "--id": "drop"}


def column_fates(state: ProjectState) -> dict[str, str]:
    """By column what becomes of it, as `advise` takes it; the person's column leaves, too."""
    fates = {name: FATE_BY_ROLE.get(role, "drop") for name, role in state.roles.items()}
    if state.person is not None:
        fates[state.person] = "drop"
    return fates


def recipe_data(
    state: ProjectState, look: ProfileRecord, file: str, request: RequestRecord | None = None
) -> PlainData:
    """The recipe's key `data`: where the table is, how it is read, what its columns are."""
    fates = column_fates(state) if request is None else request["columns"]
    consent = [] if request is None else request["consent"]

    dropped = [name for name in state.roles if fates.get(name, "drop") == "drop"]
    identifiers = [name for name in dropped if state.roles[name] == "identifier"]

    def columns_with_fate(*fate_names: str, among: Sequence[str] = tuple(state.roles)) -> list[str]:
        return [name for name in among if fates.get(name, "drop") in fate_names]

    part: PlainData = {"file": file, "no_roles": True, **_dialect_options(look["dialect"])}
    part |= _reading_part(state)
    part |= {
        "qi": columns_with_fate("generalize"),
        "sa": columns_with_fate("protect"),
        "ids": identifiers,
    }
    part |= {
        "drop": [name for name in dropped if name not in identifiers],
        "passed": columns_with_fate("pass", "protect", among=consent),
        "scrub": state.columns_as("replace"),
        "qi_anyway": columns_with_fate("generalize", among=consent),
        "person": state.person or _nobody_told_apart(look),
        "no_normalize": list(state.off),
        "bad_cells": "missing",
    }
    return {key: value for key, value in part.items() if value not in (None, [])}


def _nobody_told_apart(look: ProfileRecord) -> str | None:
    """'none' if somebody took back the person column; None if nobody decided."""
    return "none" if look.get("person") else None


def _reading_part(state: ProjectState) -> PlainData:
    """What somebody said of the file, as the recipe takes it."""
    said: PlainData = {**state.reading.options()}
    if said.get("header_row") not in (None, "none"):
        said["header_row"] = int(str(said["header_row"]))
    return said


def _dialect_options(dialect: DialectRecord) -> PlainData:
    """Reading options that a strict reader would not detect."""
    if dialect["plain"]:
        return {}
    return {"sheet": dialect["sheet"], "header_row": dialect["header_row"] or "none"}
