"""The hierarchies of a project: one file per column, in ARX's form."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import PlainData, RequestRecord
from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message

HIERARCHIES_FOLDER = "hierarchies"


def hierarchy_path(project: Project, column: str) -> Path:
    """Where the hierarchy of a column lies: by the column's number, for names may hold anything."""
    column_number = list(project.state().roles).index(column)
    return project.folder / HIERARCHIES_FOLDER / f"{column_number:02d}.csv"


def list_hierarchies(project: Project, state: ProjectState) -> dict[str, str]:
    """The files of the columns that have a hierarchy of their own."""
    paths = {name: hierarchy_path(project, name) for name in state.trees if name in state.roles}
    return {name: str(path) for name, path in paths.items() if path.is_file()}


def copy_hierarchies(project: Project, request: RequestRecord, folder: Path) -> RequestRecord:
    """The request with its hierarchies beside it in `folder`, where its recipe will lie."""
    steps = [_copy_step_hierarchies(dict(step), folder) for step in request["steps"]]
    return {**request, "steps": steps}


def _copy_step_hierarchies(step: PlainData, folder: Path) -> PlainData:
    for name, parameter in step.items():
        if isinstance(parameter, Mapping) and name.endswith("hierarchies"):
            step[name] = {
                column: _copy_hierarchy_file(value, folder) for column, value in parameter.items()
            }
    return step


def _copy_hierarchy_file(value: object, folder: Path) -> object:
    path = Path(str(value))
    if not path.is_absolute() or not path.is_file():
        return value  # the name of a built-in one, or auto
    (folder / HIERARCHIES_FOLDER).mkdir(exist_ok=True)
    shutil.copyfile(path, folder / HIERARCHIES_FOLDER / path.name)
    return f"{HIERARCHIES_FOLDER}/{path.name}"


def save_hierarchy(project: Project, column: str, rows: list[list[str]]) -> None:
    """Keep a hierarchy; InputError with all that is wrong: nesting, the top, values left out."""
    from tokumei.files.release_files import make_folder
    from tokumei.tables.hierarchies.files import write_hierarchy
    from tokumei.tables.hierarchies.hierarchy import Hierarchy

    hierarchy = Hierarchy.of(column, rows)
    column_number = list(project.state().roles).index(column)
    saved_tree = project.result("trees", f"{column_number:02d}") or {"rows": [], "counts": {}}
    missing = [value for value in saved_tree["counts"] if value not in set(hierarchy.leaves)]
    if missing:
        message = Message(
            "{count} value of the file has no place",
            plural="{count:,} values of the file have no place",
            count=len(missing),
        )
        raise InputError(message, faults=[Violation(rule="leaf", message=message)])
    make_folder(project.folder / HIERARCHIES_FOLDER)
    write_hierarchy(hierarchy, hierarchy_path(project, column))
    project.write_result(f"trees/{column_number:02d}", {**saved_tree, "rows": rows})
