"""A project: a folder with `project.yaml`, the source, and results as files, each written whole.

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

from tokumei.core.errors import InputError
from tokumei.core.text import as_json_text
from tokumei.core.yaml_models import load_yaml, validated, yaml_source
from tokumei.files.atomic import write_all
from tokumei.files.writing import text_output
from tokumei.studio.store.state import ProjectState, now

FILE = "project.yaml"
_LOCK = threading.Lock()


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
        path = self.folder / FILE
        data = load_yaml(yaml_source(path), where=FILE)
        if not isinstance(data, dict):
            raise InputError(f"{FILE}: not a project", f"{FILE}: プロジェクトではありません")
        return validated(ProjectState, data, FILE)

    def save(self, state: ProjectState) -> None:
        """Write all decisions."""
        text = yaml.safe_dump(state.model_dump(), allow_unicode=True, sort_keys=False)
        write_all([text_output(text, self.folder / FILE)])

    def change(self, **changes: Any) -> ProjectState:
        """Change some decisions; the last one to write wins."""
        with _LOCK:
            before = self.state()
            data = {**before.model_dump(), **changes}
            if data == before.model_dump():
                return before
            decided = changes.keys() - {"step"}  # to look at another page changes nothing
            data |= {"stamp": before.stamp + bool(decided), "changed": now()}
            after = validated(ProjectState, data, FILE)
            self.save(after)
            return after

    def result(self, name: str) -> dict[str, Any] | None:
        """A result by its name; None if there is none."""
        try:
            found = json.loads((self.folder / "results" / f"{name}.json").read_text("utf-8"))
        except FileNotFoundError:
            return None
        return found if isinstance(found, dict) else None

    def results(self, folder: str) -> list[dict[str, Any]]:
        """All results of a folder, by their names."""
        place = self.folder / "results" / folder
        names = sorted(path.stem for path in place.glob("*.json")) if place.is_dir() else []
        found = (self.result(f"{folder}/{name}") for name in names)
        return [one for one in found if one is not None]

    def write_result(self, name: str, data: Mapping[str, Any]) -> None:
        """Write a result, whole or not at all."""
        path = self.folder / "results" / f"{name}.json"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_all([text_output(as_json_text(data), path)])

    def forget(self, folder: str) -> None:
        """Remove all results of a folder."""
        for path in (self.folder / "results" / folder).glob("*.json"):
            path.unlink(missing_ok=True)
