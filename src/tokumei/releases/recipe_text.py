"""The recipe of a release: `tokumei run` makes the same rows again, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import yaml

from tokumei.core.advice.request import Request
from tokumei.tables.services.requests import TableRequest

RELEASE_NAME = "release"
_KEYS_BY_FIELD = {"id": "ids", "kind": "kinds"}
_DATA_FIELDS = (
    *("qi", "sa", "id", "drop", "passed", "qi_anyway", "person", "scrub", "sets", "kind"),
    *("sep", "encoding", "sheet", "header_row", "no_normalize", "date_order", "two_digit_years"),
    *("bad_cells", "encoding_errors"),
)
_DEFAULTS: Mapping[str, object] = {
    "encoding": "auto",
    "bad_cells": "refuse",
    "encoding_errors": "strict",
}


def build_recipe(table: TableRequest, request: Request, folder: Path, key: str) -> str:
    """The recipe as YAML; paths are relative to the `folder` in which it will lie."""
    data: dict[str, object] = {"file": os.path.relpath(Path(table.data).resolve(), folder)}
    for name in _DATA_FIELDS:
        value = getattr(table, name)
        if name in ("qi", "sa", "id"):
            data[_KEYS_BY_FIELD.get(name, name)] = list(value or ())
        elif value not in (None, (), {}, _DEFAULTS.get(name)):
            plain = list(value) if isinstance(value, tuple) else value
            data[_KEYS_BY_FIELD.get(name, name)] = plain
    data["no_roles"] = True
    recipe: dict[str, object] = {
        "title": RELEASE_NAME,
        "key": key,
        "data": data,
        "releases": [{"name": RELEASE_NAME, "steps": [dict(step) for step in request.steps]}],
        "attacks": ["everything"],
        "measures": ["rows_kept"],
    }
    if table.scenario is not None:
        recipe["scenario"] = table.scenario.to_dict()
    return str(yaml.safe_dump(recipe, allow_unicode=True, sort_keys=False, width=100))
