"""A project: a folder with `project.yaml`, the source and result files.

project = Project(home.projects / "customers-3f2a")
project.change(person="customer_id")
project.result("look"), project.write_result("look", {...})
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, overload

import yaml

from tokumei.apps.studio.store.project_state import ProjectState, utc_now
from tokumei.apps.studio.store.records import (
    AdviceRecord,
    AssessmentRecord,
    CandidateRecord,
    NearRecord,
    ProfileRecord,
    ReleasedRecord,
    TreeRecord,
)
from tokumei.core.errors import InputError
from tokumei.core.json_types import as_json_text
from tokumei.core.yaml_models import load_yaml, read_yaml_text, validate_model
from tokumei.files.atomic_write import write_all
from tokumei.files.writing import text_output

PROJECT_FILE = "project.yaml"
EARLIER_DECISIONS = "earlier"
MOST_UNDONE = 50
DECISIONS = frozenset(
    {"kind", "roles", "person", "off", "columns", "reading", "purpose", "scenario", "ledger"}
)
"""What can be taken back; hierarchies have an undo of their own."""
_CHANGE_LOCK = threading.Lock()


class Project:
    """One project's folder. May be used by many threads; what is read is always whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def id(self) -> str:
        """Its name in addresses."""
        return self.folder.name

    @property
    def source(self) -> Path:
        """The file that was dropped or picked."""
        return self.folder / "source" / self.state().source

    def state(self) -> ProjectState:
        """The decisions so far."""
        path = self.folder / PROJECT_FILE
        data = load_yaml(read_yaml_text(path), where=PROJECT_FILE)
        if not isinstance(data, dict):
            raise InputError("{file}: not a project", file=PROJECT_FILE)
        return validate_model(ProjectState, data, PROJECT_FILE)

    def save(self, state: ProjectState) -> None:
        """Write all decisions."""
        text = yaml.safe_dump(state.model_dump(), allow_unicode=True, sort_keys=False)
        write_all([text_output(text, self.folder / PROJECT_FILE)])

    def change(self, **changes: object) -> ProjectState:
        """Change some decisions; the last one to write wins."""
        with _CHANGE_LOCK:
            before = self.state()
            data = {**before.model_dump(), **changes}
            if data == before.model_dump():
                return before
            decided = changes.keys() - {"step"}  # to look at another page changes nothing
            data |= {"stamp": before.stamp + bool(decided), "changed": utc_now()}
            after = validate_model(ProjectState, data, PROJECT_FILE)
            if before.roles and any(
                getattr(before, name) != getattr(after, name) for name in decided & DECISIONS
            ):
                self._remember(before)
            self.save(after)
            return after

    def undo(self) -> ProjectState:
        """The decisions before the last one; what was written meanwhile stays."""
        with _CHANGE_LOCK:
            state, earlier = self.state(), self._earlier()
            if not earlier:
                return state
            data = {**state.model_dump(), **earlier[-1]}
            data |= {"stamp": state.stamp + 1, "changed": utc_now(), "selected": []}
            after = validate_model(ProjectState, data, PROJECT_FILE)
            self.write_result(EARLIER_DECISIONS, {"states": earlier[:-1]})
            self.save(after)
            return after

    def can_undo(self) -> bool:
        """Whether a decision can be taken back."""
        return bool(self._earlier())

    def _earlier(self) -> list[dict[str, object]]:
        saved = self.result(EARLIER_DECISIONS)
        states = [] if saved is None else saved["states"]
        return states if isinstance(states, list) else []

    def _remember(self, state: ProjectState) -> None:
        data = state.model_dump()
        decisions = {name: data[name] for name in sorted(DECISIONS)}
        earlier = [*self._earlier(), decisions][-MOST_UNDONE:]
        self.write_result(EARLIER_DECISIONS, {"states": earlier})

    @overload
    def result(self, name: Literal["look"]) -> ProfileRecord | None: ...
    @overload
    def result(self, name: Literal["advice"]) -> AdviceRecord | None: ...
    @overload
    def result(self, name: Literal["released"]) -> ReleasedRecord | None: ...
    @overload
    def result(self, name: Literal["candidates"], id: str) -> CandidateRecord | None: ...
    @overload
    def result(self, name: Literal["assessments"], id: str) -> AssessmentRecord | None: ...
    @overload
    def result(self, name: Literal["near"]) -> NearRecord | None: ...
    @overload
    def result(self, name: Literal["trees"], id: str) -> TreeRecord | None: ...
    @overload
    def result(self, name: str, id: str = "") -> Mapping[str, object] | None: ...
    def result(self, name: str, id: str = "") -> Mapping[str, object] | None:
        """A result by its name and, if there are several, its `id`; None if there is none."""
        path = self.folder / "results" / (f"{name}/{id}.json" if id else f"{name}.json")
        try:
            data = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        return data if isinstance(data, dict) else None

    def candidates(self) -> list[CandidateRecord]:
        """All candidates, by their ids."""
        ids = sorted(path.stem for path in (self.folder / "results/candidates").glob("*.json"))
        loaded = (self.result("candidates", id) for id in ids)
        return [candidate for candidate in loaded if candidate is not None]

    def is_stale(self, state: ProjectState) -> bool:
        """Whether the candidates were made from other decisions than those in force."""
        advice = self.result("advice")
        return advice is not None and advice["inputs"] != state.inputs("candidates")

    def assessment(self, state: ProjectState, id: str) -> AssessmentRecord | None:
        """The assessment of a candidate; None if there is none of the decisions in force."""
        record = self.result("assessments", id)
        current = record is not None and record["inputs"] == state.inputs("candidates")
        return record if current else None

    def assessments(self, state: ProjectState) -> dict[str, AssessmentRecord]:
        """The assessments in force, by candidate."""
        ids = [path.stem for path in (self.folder / "results/assessments").glob("*.json")]
        loaded = {id: self.assessment(state, id) for id in sorted(ids)}
        return {id: record for id, record in loaded.items() if record is not None}

    def write_result(self, name: str, data: Mapping[str, object]) -> None:
        """Write a result, whole or not at all."""
        path = self.folder / "results" / f"{name}.json"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_all([text_output(as_json_text(data), path)])

    def forget(self, folder: str) -> None:
        """Remove all results of a folder."""
        for path in (self.folder / "results" / folder).glob("*.json"):
            path.unlink(missing_ok=True)

    def forget_result(self, name: str) -> None:
        """Remove one result."""
        (self.folder / "results" / f"{name}.json").unlink(missing_ok=True)
