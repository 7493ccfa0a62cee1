"""The page Look: what every column is, decided by a click or a key."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import Response

from tokumei.core.text import Text
from tokumei.http.answers import Json
from tokumei.http.refusals import NotFound, Wrong
from tokumei.studio.kinds.kind import all_kinds, kind_of
from tokumei.studio.recipes import same_as_look
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import KindName, ProjectState, Role
from tokumei.studio.web.frame import project_page
from tokumei.studio.web.render import At, Here, Posted, Visit, as_model
from tokumei.tables.look.rules import RULES

ROLES: dict[Role, tuple[str, Text, Text]] = {
    "identifier": (
        "i",
        Text("Says who", "本人を示す"),
        Text("names somebody by itself; never leaves", "単独で本人が分かる。公開しない"),
    ),
    "quasi": (
        "q",
        Text("Others may know it", "他人が知り得る"),
        Text("made coarser until people look alike", "似た人が増えるまで粗くする"),
    ),
    "sensitive": (
        "s",
        Text("Must not come out", "知られたくない"),
        Text("what nobody should learn of a person", "本人について知られては困る"),
    ),
    "keep": (
        "k",
        Text("Keep as it is", "そのまま残す"),
        Text("leaves unchanged, by your decision", "あなたの判断で加工せずに公開する"),
    ),
    "drop": ("d", Text("Leave out", "落とす"), Text("does not leave", "公開しない")),
}
router = APIRouter()


@router.get("/p/{id}/look")
def look(visit: Here, project: At) -> Response:
    """The columns of the file."""
    state = project.change(step="look")
    found = project.result("look")
    return project_page(
        visit,
        project,
        "look",
        title=Text("What is in the file", "ファイルの中身"),
        same=same_as_look(state, found),
        watched=("look",),
        look=found,
        fresh=found is not None and found["inputs"] == state.inputs("look"),
        columns=_columns(found, state),
        rules=_rules(found, state),
        roles=ROLES,
        kinds={name: one.title for name, one in all_kinds().items()},
        parts=kind_of(state).parts,
    )


def _columns(found: dict[str, Any] | None, state: ProjectState) -> list[dict[str, Any]]:
    """What the look found, beside what was decided; a column called identifying is masked."""
    if found is None:
        return []
    shown = []
    for place, column in enumerate(found["columns"]):
        role = state.roles.get(column["name"], "drop")
        masked = column["masked"] or role == "identifier" or column["name"] == state.person
        cells = [row[place] for row in found["first"]]
        shown.append({**column, "decided": role, "masked": masked, "cells": cells})
    return shown


def _rules(found: dict[str, Any] | None, state: ProjectState) -> list[dict[str, Any]]:
    """Normalizations that touch something, and those that are off."""
    told = [] if found is None else list(found["rules"])
    known = {rule["rule"] for rule in told}
    off = [name for name in state.off if name in RULES and name not in known]
    told += [{"rule": name, "words": list(RULES[name]), "cells": 0, "columns": []} for name in off]
    return [{**rule, "on": rule["rule"] not in state.off} for rule in told]


class Decision(BaseModel):
    """One change on the page; `stamp` is that of the page it was made on."""

    stamp: int
    column: str | None = None
    role: Literal["identifier", "quasi", "sensitive", "keep", "drop"] | None = None
    person: str | None = None
    rule: str | None = None
    on: bool = True
    kind: KindName | None = None
    part: str | None = None


@router.post("/p/{id}/look")
def decide(visit: Here, project: At, form: Posted) -> Response:
    """Keep a decision, and look again with it; says if another tab was there before."""
    asked = as_model(Decision, form)
    before = project.state()
    after = project.change(**_changes(asked, before))
    if after is not before:
        visit.start(project, "look")
    return Json({"ok": True, "stamp": after.stamp, "elsewhere": asked.stamp < before.stamp})


def _changes(asked: Decision, state: ProjectState) -> dict[str, Any]:
    if asked.kind is not None:
        return {"kind": asked.kind}
    if asked.rule is not None:
        return {"off": _switched(asked, state)}
    if asked.part is not None:
        _require(asked.column, state)
        if asked.part not in kind_of(state).parts:
            raise NotFound
        return {"columns": {**state.columns, asked.part: asked.column}}
    if asked.person is not None:
        if asked.person:
            _require(asked.person, state)
        return {"person": asked.person or None}
    _require(asked.column, state)
    if asked.role is None:
        raise Wrong("no decision was sent", "決定が送られていません")
    return {"roles": {**state.roles, str(asked.column): asked.role}}


def _switched(asked: Decision, state: ProjectState) -> list[str]:
    if asked.rule not in RULES:
        raise NotFound
    rest = [name for name in state.off if name != asked.rule]
    return rest if asked.on else [*rest, str(asked.rule)]


def _require(name: str | None, state: ProjectState) -> None:
    if name not in state.roles:
        raise NotFound


def require_look(visit: Visit, project: Project) -> dict[str, Any] | None:
    """What the look found; one is begun if there is none and none runs."""
    found = project.result("look")
    job = visit.jobs.of(project).get("look")
    if found is None and job is None:
        visit.start(project, "look")
    return found
