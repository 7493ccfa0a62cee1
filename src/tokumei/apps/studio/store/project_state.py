"""The decisions of a project: the content of `project.yaml`.

state = ProjectState(name="Customers", source="customers.csv", made=now())
state.inputs("candidates")         # a digest of all that candidates depend on
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Literal

from pydantic import Field

from tokumei.core.yaml_models import StrictModel

Role = Literal["identifier", "quasi", "sensitive", "keep", "replace", "drop"]
KindName = Literal["tables", "histories", "pseudonyms"]
Recipient = Literal["public", "partner", "inside"]
STUDIO_STEPS = ("look", "purpose", "candidates", "attack", "release")
"""The way through, in order."""
_RESULT_INPUTS: dict[str, tuple[str, ...]] = {
    "look": ("kind", "roles", "person", "off", "columns", "reading"),
    "joint": ("kind", "roles", "person", "off", "columns", "reading", "trees", "ledger"),
    "candidates": (
        "kind",
        "roles",
        "person",
        "off",
        "columns",
        "reading",
        "purpose",
        "scenario",
        "trees",
    ),
}
"""The decisions that a result depends on, by its name."""


class PurposeState(StrictModel):
    """The answers to the three questions, as `Purpose` takes them; None: as proposed."""

    recipient: Recipient = "partner"
    known: list[str] | None = None
    keep: list[str] = Field(default_factory=list)
    predict: str | None = None
    tables: list[list[str]] = Field(default_factory=list)
    k: int | None = Field(default=None, ge=2, le=10_000)
    models: list[str] | None = None
    suppression: float | None = Field(default=None, ge=0, lt=1)


class ScenarioState(StrictModel):
    """What else is assumed of the recipient; None: the recipient's convention.

    The recipient and the columns known are those of the purpose, the person column is the
    project's. `roughly`: by column how exactly it is known (`30d`, `10%`, `3`, `up`).
    """

    roughly: dict[str, str] = Field(default_factory=dict)
    at_once: int | None = Field(default=None, ge=1, le=1000)
    population: int | None = Field(default=None, ge=1)
    identified: float | None = Field(default=None, ge=0, le=1)
    guessed_right: float | None = Field(default=None, ge=0, le=1)
    smallest_class: int | None = Field(default=None, ge=1, le=1_000_000)


class ReadingState(StrictModel):
    """How the file is read, as recipes name it; None: found out."""

    sheet: str | None = Field(default=None, max_length=200)
    header_row: str | None = Field(default=None, pattern=r"^([1-9][0-9]{0,5}|none)$")
    sep: str | None = Field(default=None, min_length=1, max_length=1)
    encoding: str | None = Field(default=None, max_length=20)
    date_order: Literal["dmy", "mdy", "ymd"] | None = None
    two_digit_years: int | None = Field(default=None, ge=1000, le=9999)

    def options(self) -> dict[str, str | int]:
        """What somebody said, by its key in recipes."""
        return {name: value for name, value in self.model_dump().items() if value is not None}


class LedgerState(StrictModel):
    """Which ledger, who gets the release, and which column names people there."""

    folder: str = Field(min_length=1, max_length=4000)
    key_file: str | None = Field(default=None, max_length=4000)
    recipient: str = Field(min_length=1, max_length=200)
    id: str | None = None


class ProjectState(StrictModel):
    """One project. `stamp` counts its changes; `trees` names the columns with own hierarchies."""

    name: str = Field(min_length=1, max_length=200)
    source: str = Field(min_length=1)
    made: str
    changed: str = ""
    stamp: int = 0
    kind: KindName = "tables"
    step: str = "look"
    roles: dict[str, Role] = Field(default_factory=dict)
    person: str | None = None
    off: list[str] = Field(default_factory=list)
    reading: ReadingState = ReadingState()
    columns: dict[str, str] = Field(default_factory=dict)
    purpose: PurposeState = PurposeState()
    scenario: ScenarioState = ScenarioState()
    trees: dict[str, int] = Field(default_factory=dict)
    selected: list[str] = Field(default_factory=list, max_length=2)
    ledger: LedgerState | None = None
    contest: str | None = None
    """The folder of a contest whose data this is."""

    def inputs(self, result: str) -> str:
        """A digest of the decisions that a result was, or would be, made from."""
        chosen = self.model_dump(include=set(_RESULT_INPUTS[result]))
        text = json.dumps(chosen, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def columns_as(self, *roles: Role) -> list[str]:
        """The columns with one of some roles, in the order of the file."""
        return [name for name, role in self.roles.items() if role in roles]


def utc_now() -> str:
    """This moment, to the second, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
