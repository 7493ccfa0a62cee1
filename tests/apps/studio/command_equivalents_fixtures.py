"""What the tests split from test_command_equivalents share."""

from __future__ import annotations

from typing import Any

import pytest

from tokumei.apps.studio.store.project_state import ProjectState, PurposeState

COLUMNS = ("名 前", "age", "zip's", "pay")


LOOK: dict[str, Any] = {
    "columns": [{"name": name, "identifies": name == "名 前", "pii": []} for name in COLUMNS],
    "dialect": {"plain": False, "sheet": None, "header_row": 2, "encoding": None, "sep": ","},
}


REQUEST: dict[str, Any] = {
    "kind": "tables",
    "steps": [{"method": "mondrian", "k": 2}],
    "columns": {"名 前": "drop", "age": "generalize", "zip's": "generalize", "pay": "protect"},
    "person": "none",
    "consent": [],
}


@pytest.fixture
def state() -> ProjectState:
    return ProjectState(
        name="people.csv",
        source="people.csv",
        made="now",
        roles={"名 前": "identifier", "age": "quasi", "zip's": "quasi", "pay": "sensitive"},
        purpose=PurposeState(recipient="public", known=["age"], keep=["pay"], k=7),
    )
