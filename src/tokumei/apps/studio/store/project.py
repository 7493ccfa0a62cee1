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
from typing import Any

import yaml

from tokumei.apps.studio.store.project_state import ProjectState, utc_now
from tokumei.core.errors import InputError
from tokumei.core.messages import as_json_text
from tokumei.core.yaml_models import load_yaml, read_yaml_text, validate_model
from tokumei.files.atomic_write import write_all
from tokumei.files.writing import text_output

PROJECT_FILE = "project.yaml"
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
        """What was decided so far."""
        path = self.folder / PROJECT_FILE
        data = load_yaml(read_yaml_text(path), where=PROJECT_FILE)
        if not isinstance(data, dict):
            raise InputError(
                f"{PROJECT_FILE}: not a project", f"{PROJECT_FILE}: プロジェクトではありません"
            )
        return validate_model(ProjectState, data, PROJECT_FILE)

    def save(self, state: ProjectState) -> None:
        """Write all decisions."""
        text = yaml.safe_dump(state.model_dump(), allow_unicode=True, sort_keys=False)
        write_all([text_output(text, self.folder / PROJECT_FILE)])

    def change(self, **changes: Any) -> ProjectState:
        """Change some decisions; the last one to write wins."""
        with _CHANGE_LOCK:
            before = self.state()
            data = {**before.model_dump(), **changes}
            if data == before.model_dump():
                return before
            decided = changes.keys() - {"step"}  # to look at another page changes nothing
            data |= {"stamp": before.stamp + bool(decided), "changed": utc_now()}
            after = validate_model(ProjectState, data, PROJECT_FILE)
            self.save(after)
            return after

    def result(self, name: str) -> dict[str, Any] | None:
        """A result by its name; None if there is none."""
        try:
            data = json.loads((self.folder / "results" / f"{name}.json").read_text("utf-8"))
        except FileNotFoundError:
            return None
        return data if isinstance(data, dict) else None

    def results(self, folder: str) -> list[dict[str, Any]]:
        """All results of a folder, by their names."""
        results_folder = self.folder / "results" / folder
        names = (
            sorted(path.stem for path in results_folder.glob("*.json"))
            if results_folder.is_dir()
            else []
        )
        loaded = (self.result(f"{folder}/{name}") for name in names)
        return [result for result in loaded if result is not None]

    def write_result(self, name: str, data: Mapping[str, Any]) -> None:
        """Write a result, whole or not at all."""
        path = self.folder / "results" / f"{name}.json"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_all([text_output(as_json_text(data), path)])

    def forget(self, folder: str) -> None:
        """Remove all results of a folder."""
        for path in (self.folder / "results" / folder).glob("*.json"):
            path.unlink(missing_ok=True)
