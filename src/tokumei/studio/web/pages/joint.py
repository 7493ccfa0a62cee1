"""The ledger of a project, on the pages Attack and Release: named, checked, taken away again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.core.text import Text
from tokumei.http.refusals import NotFound, Wrong
from tokumei.studio.kinds.kind import kind_of
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import LedgerState, ProjectState
from tokumei.studio.web.render import At, Here, Posted, Visit, as_model, go

LINES = "ledger.jsonl"
router = APIRouter()


def joint_of(project: Project, state: ProjectState, id: str) -> dict[str, Any] | None:
    """What a candidate would say with earlier releases; None: there is no check in force."""
    found = project.result(f"joint/{id}") if state.ledger is not None else None
    return found if found is not None and found["inputs"] == state.inputs("joint") else None


def keep_checked(visit: Visit, project: Project, state: ProjectState, id: str) -> None:
    """Check the chosen candidate with the ledger, once, when nothing else is asked of it."""
    if state.ledger is None or joint_of(project, state, id) is not None:
        return
    job, done = visit.jobs.of(project).get("ledger"), project.result("released")
    asked = {"id": id, "inputs": state.inputs("joint")}
    if done is not None and done["candidate"] == id and done.get("recorded"):
        return  # it left: only a further one would be checked
    if job is None or (not job.running and {**job.args, "resume": 0} != {**asked, "resume": 0}):
        visit.start(project, "ledger", **asked)


def suggested(visit: Visit, state: ProjectState) -> dict[str, Any]:
    """What the form begins with: this project's ledger, else that of the last one that has one."""
    if state.ledger is not None:
        return state.ledger.model_dump()
    others = (other.ledger for _, other in visit.home.recent() if other.ledger is not None)
    last = next(others, None)
    empty = {"folder": "", "key_file": None, "recipient": "", "id": None}
    return empty if last is None else {**last.model_dump(), "recipient": "", "id": None}


@router.post("/p/{id}/ledger")
def keep(visit: Here, project: At, form: Posted) -> Response:
    """Name the ledger, its key, and who gets the release; an empty folder: no ledger."""
    state = project.state()
    if not kind_of(state).records:
        raise NotFound
    back = "attack" if form.get("back") == "attack" else "release"
    if form.get("without"):
        project.change(ledger=None)
        return go(visit, f"p/{project.id}/{back}")
    asked = as_model(LedgerState, _answers(form))
    _require(asked, state)
    project.change(ledger=asked.model_dump())
    return go(visit, f"p/{project.id}/{back}")


def _answers(form: dict[str, Any]) -> dict[str, Any]:
    told = {name: str(form.get(name) or "").strip() for name in LedgerState.model_fields}
    places = {
        name: str(Path(told[name]).expanduser()) for name in ("folder", "key_file") if told[name]
    }
    return {**{name: value or None for name, value in told.items()}, **places}


def _require(asked: LedgerState, state: ProjectState) -> None:
    """Fail unless there is a ledger, and somebody is named by a column of this file."""
    for path in filter(None, (asked.folder, asked.key_file)):
        if not Path(path).is_absolute():
            raise Wrong("name folder and key with their whole paths", "絶対パスで指定してください")
    if not (Path(asked.folder) / LINES).is_file():
        command = f"tokumei ledger init {asked.folder} --key-file KEY"
        raise Wrong(
            f"there is no ledger in this folder; make one with: {command}",
            f"このフォルダに台帳はありません。次のコマンドで作れます: {command}",
        )
    people = kind_of(state).people(state)
    if people and asked.id not in people:
        raise Wrong(NEEDS_ID)
    if asked.id is None and state.roles and not kind_of(state).parts:
        raise Wrong(NEEDS_ID)


NEEDS_ID = Text(
    "a ledger must know who is who: choose the column that names people. It does not leave, and "
    "the ledger keeps codes of it only",
    "台帳には人を区別する列が必要です。その列は公開されず、台帳には符号だけが残ります",
)


@router.post("/p/{id}/joint")
def again(visit: Here, project: At) -> Response:
    """Check once more: others may have released since."""
    state = project.state()
    if state.ledger is None or not state.selected:
        raise NotFound
    visit.start(project, "ledger", id=state.selected[0], inputs=state.inputs("joint"))
    return go(visit, f"p/{project.id}/{state.step}")
