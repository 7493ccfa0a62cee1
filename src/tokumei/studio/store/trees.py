"""The hierarchies of a project: one file per column, in ARX's form."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState

FOLDER = "hierarchies"


def tree_path(project: Project, column: str) -> Path:
    """Where the hierarchy of a column lies: by the column's number, for names may hold anything."""
    place = list(project.state().roles).index(column)
    return project.folder / FOLDER / f"{place:02d}.csv"


def hierarchies_of(project: Project, state: ProjectState) -> dict[str, str]:
    """The files of the columns that have a hierarchy of their own."""
    found = {name: tree_path(project, name) for name in state.trees if name in state.roles}
    return {name: str(path) for name, path in found.items() if path.is_file()}


def copied_trees(project: Project, request: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The request with its hierarchies beside it in `folder`, where its recipe will lie."""
    steps = [_copied(dict(step), folder) for step in request["steps"]]
    return {**request, "steps": steps}


def _copied(step: dict[str, Any], folder: Path) -> dict[str, Any]:
    for name, given in step.items():
        if isinstance(given, Mapping) and name.endswith("hierarchies"):
            step[name] = {column: _one(value, folder) for column, value in given.items()}
    return step


def _one(value: Any, folder: Path) -> Any:
    path = Path(str(value))
    if not path.is_absolute() or not path.is_file():
        return value  # the name of a built-in one, or auto
    (folder / FOLDER).mkdir(exist_ok=True)
    shutil.copyfile(path, folder / FOLDER / path.name)
    return f"{FOLDER}/{path.name}"


def save_tree(project: Project, column: str, rows: list[list[str]]) -> None:
    """Keep a hierarchy; InputError with all that is wrong: nesting, the top, values left out."""
    from tokumei.files.releases import make_folder
    from tokumei.tables.hierarchies.files import write_hierarchy
    from tokumei.tables.hierarchies.hierarchy import Hierarchy

    made = Hierarchy.of(column, rows)
    place = list(project.state().roles).index(column)
    known = project.result(f"trees/{place:02d}") or {"counts": {}}
    missing = [value for value in known["counts"] if value not in set(made.leaves)]
    if missing:
        told = Text(
            f"{len(missing)} value(s) of the file have no place",
            f"{len(missing)} 個の値に場所がありません",
        )
        raise InputError(told, faults=[Fault(rule="leaf", message=told)])
    make_folder(project.folder / FOLDER)
    write_hierarchy(made, tree_path(project, column))
    project.write_result(f"trees/{place:02d}", {**known, "rows": rows})
