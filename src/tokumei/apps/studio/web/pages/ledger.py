"""The ledger of a project on the pages Attack and Release: choose, check, remove."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.apps.http.errors import NotFound, UnprocessableContent
from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import LedgerState, ProjectState
from tokumei.apps.studio.store.records import JobArguments
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    StudioRequest,
    redirect,
    validate_form,
)
from tokumei.core.messages import Message
from tokumei.ledger.ledger import Ledger

LEDGER_FILE = "ledger.jsonl"
router = APIRouter()


def read_ledger_check(
    project: Project, state: ProjectState, id: str
) -> Mapping[str, object] | None:
    """The check of a candidate with earlier releases; None if there is none in force."""
    check = project.result("joint", id) if state.ledger is not None else None
    return check if check is not None and check["inputs"] == state.inputs("joint") else None


def start_ledger_check(
    visit: StudioRequest, project: Project, state: ProjectState, id: str
) -> None:
    """Check the chosen candidate with the ledger, once, when nothing else is asked of it."""
    if state.ledger is None or read_ledger_check(project, state, id) is not None:
        return
    job, released = visit.jobs.of(project).get("ledger"), project.result("released")
    check_args: JobArguments = {"id": id, "inputs": state.inputs("joint")}
    if released is not None and released["candidate"] == id and released.get("recorded"):
        return  # it left: only a further one would be checked
    if job is None or (
        not job.running and {**job.args, "resume": 0} != {**check_args, "resume": 0}
    ):
        visit.start(project, "ledger", **check_args)


def suggest_ledger(visit: StudioRequest, state: ProjectState) -> dict[str, object]:
    """Defaults of the form: this project's ledger, else that of the latest project with one."""
    if state.ledger is not None:
        return state.ledger.model_dump()
    other_ledgers = (
        other.ledger for _, other in visit.home.list_recent_projects() if other.ledger is not None
    )
    last = next(other_ledgers, None)
    empty: dict[str, object] = {"folder": "", "key_file": None, "recipient": "", "id": None}
    return empty if last is None else {**last.model_dump(), "recipient": "", "id": None}


@router.post("/p/{id}/ledger")
def save_ledger(visit: CurrentStudioRequest, project: CurrentProject, form: FormFields) -> Response:
    """Name the ledger, its key, and who gets the release; an empty folder: no ledger."""
    state = project.state()
    if not adapter_for(state).records:
        raise NotFound
    back = "attack" if form.get("back") == "attack" else "release"
    if form.get("without"):
        project.change(ledger=None)
        return redirect(visit, f"p/{project.id}/{back}")
    ledger = validate_form(LedgerState, _parse_ledger_form(form))
    if form.get("create"):
        ledger = _create_ledger(visit, ledger)
    _require_usable_ledger(ledger, state)
    project.change(ledger=ledger.model_dump())
    return redirect(visit, f"p/{project.id}/{back}")


def _create_ledger(visit: StudioRequest, ledger: LedgerState) -> LedgerState:
    """A new ledger in the folder; its key stands beside the home's releases, not in it."""
    for path in filter(None, (ledger.folder, ledger.key_file)):
        if not Path(path).is_absolute():
            raise UnprocessableContent("name folder and key with their whole paths")
    key_file = ledger.key_file or str(Path(f"{ledger.folder.rstrip('/')}.key"))
    Ledger.create(ledger.folder, key_file)
    return ledger.model_copy(update={"key_file": key_file})


def _parse_ledger_form(form: Mapping[str, object]) -> dict[str, object]:
    fields = {name: str(form.get(name) or "").strip() for name in LedgerState.model_fields}
    expanded_paths = {
        name: str(Path(fields[name]).expanduser())
        for name in ("folder", "key_file")
        if fields[name]
    }
    return {**{name: value or None for name, value in fields.items()}, **expanded_paths}


def _require_usable_ledger(ledger: LedgerState, state: ProjectState) -> None:
    """Fail unless there is a ledger, and somebody is named by a column of this file."""
    for path in filter(None, (ledger.folder, ledger.key_file)):
        if not Path(path).is_absolute():
            raise UnprocessableContent("name folder and key with their whole paths")
    if not (Path(ledger.folder) / LEDGER_FILE).is_file():
        raise UnprocessableContent(
            "there is no ledger in this folder; name another one, or press 'Make a new ledger'"
        )
    people = adapter_for(state).people(state)
    if people and ledger.id not in people:
        raise UnprocessableContent(ID_COLUMN_NEEDED)
    if ledger.id is None and state.roles and not adapter_for(state).parts:
        raise UnprocessableContent(ID_COLUMN_NEEDED)


ID_COLUMN_NEEDED = Message(
    "a ledger must tell people apart: choose the column that names them. It is not released, and "
    "the ledger keeps only codes of it"
)


@router.post("/p/{id}/joint")
def repeat_ledger_check(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Check once more: others may have released since."""
    state = project.state()
    if state.ledger is None or not state.selected:
        raise NotFound
    visit.start(project, "ledger", id=state.selected[0], inputs=state.inputs("joint"))
    return redirect(visit, f"p/{project.id}/{state.step}")
