"""The pages Candidates and Compare: a plane of risk against loss, and one or two looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from tokumei.core.text import Text, language
from tokumei.http.refusals import NotFound, Wrong
from tokumei.studio.kinds.kind import kind_of
from tokumei.studio.recipes import same_as_candidate
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import ProjectState
from tokumei.studio.web.frame import project_page
from tokumei.studio.web.pages.look import require_look
from tokumei.studio.web.plane import plane_of
from tokumei.studio.web.render import At, Here, Posted, Visit, go

WISHES = {
    "safer": Text("Safer", "より安全に"),
    "more detail": Text("More detail", "より詳しく"),
    "without suppressed rows": Text("No rows left out", "行を落とさない"),
    "drop": Text("Without a column", "列を落とす"),
}
router = APIRouter()
Picked = Annotated[tuple[str, ...], Query(max_length=4)]


def candidates_of(project: Project) -> list[dict[str, Any]]:
    """The candidates in the order in which they came."""
    return sorted(project.results("candidates"), key=lambda one: int(one["order"]))


def selected_of(project: Project) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The candidates by id, and the one that was chosen, if it is among them."""
    found = {one["id"]: one for one in candidates_of(project)}
    return found, next((found.get(id) for id in project.state().selected), None)


def _chosen(
    found: Sequence[dict[str, Any]], asked: Sequence[str], state: ProjectState
) -> list[dict[str, Any]]:
    """At most two: those asked for, else selected before, else the first on the front."""
    by_id = {one["id"]: one for one in found}
    wanted = [id for id in asked if id in by_id] or [id for id in state.selected if id in by_id]
    if not wanted:
        best = [one["id"] for one in found if one["on_front"]]
        wanted = (best or [one["id"] for one in found])[:1]
    return [by_id[id] for id in dict.fromkeys(wanted[:2])]


@router.get("/p/{id}/candidates")
def candidates(visit: Here, project: At, c: Picked = ()) -> Response:
    """All candidates, and the one that is looked at."""
    look = require_look(visit, project)
    state = project.change(step="candidates")
    found = candidates_of(project)
    chosen = _chosen(found, c, state)
    _show(visit, project, chosen)
    kind = kind_of(state)
    with language(visit.lang):
        plane = plane_of(found, [one["id"] for one in chosen], kind=kind)
    return project_page(
        visit,
        project,
        "candidates",
        title=Text("Choose by looking", "見て選ぶ"),
        same=same_as_candidate(state, look, chosen[0]["request"] if chosen else None),
        watched=("advise",),
        advice=project.result("advice"),
        found=found,
        plane=plane,
        chosen=chosen,
        kind=kind,
        previews={one["id"]: project.result(f"previews/{one['id']}") for one in chosen},
        wishes={wish: words for wish, words in WISHES.items() if wish in kind.wishes},
    )


def _show(visit: Visit, project: Project, chosen: Sequence[dict[str, Any]]) -> None:
    """Ask for rows of what is looked at, when nothing else is being worked on."""
    missing = [one["id"] for one in chosen if project.result(f"previews/{one['id']}") is None]
    jobs = visit.jobs.of(project)
    busy = any(job.running for name, job in jobs.items() if name in ("preview", "advise"))
    last = jobs.get("preview")
    tried = last is not None and last.state == "failed" and last.args.get("ids") == missing
    if missing and not busy and not tried:
        visit.start(project, "preview", ids=missing)


@router.get("/p/{id}/compare")
def compare(visit: Here, project: At, c: Picked = ()) -> Response:
    """Two candidates side by side."""
    look = require_look(visit, project)
    state = project.state()
    found = candidates_of(project)
    pair = [one for id in c[:2] for one in found if one["id"] == id]
    _show(visit, project, pair)
    return project_page(
        visit,
        project,
        "candidates",
        template="compare.html",
        title=Text("Two candidates side by side", "二つの候補の比較"),
        same=same_as_candidate(state, look, pair[0]["request"] if pair else None),
        watched=("preview",),
        found=found,
        pair=pair,
        kind=kind_of(state),
        asked=[*c[:2], "", ""][:2],
        previews={one["id"]: project.result(f"previews/{one['id']}") for one in pair},
    )


@router.post("/p/{id}/near")
def near(visit: Here, project: At, form: Posted) -> Response:
    """New candidates near one."""
    id, wish = str(form.get("id", "")), str(form.get("wish", ""))
    _require(project, id)
    if wish not in kind_of(project.state()).wishes:
        raise NotFound
    column = str(form.get("column") or "") or None
    if wish == "drop" and column not in project.state().roles:
        raise Wrong("choose the column to leave out", "落とす列を選んでください")
    seconds = visit.seconds / 2
    visit.start(project, "advise", near=id, wish=wish, column=column, seconds=seconds)
    return go(visit, f"p/{project.id}/candidates?c={id}")


@router.post("/p/{id}/choose")
def choose(visit: Here, project: At, form: Posted) -> Response:
    """Take a candidate on to the next step, where it is attacked."""
    id = str(form.get("id", ""))
    _require(project, id)
    project.change(selected=[id])
    if project.result(f"attacks/{id}") is None:
        visit.start(project, "attack", id=id, seconds=visit.seconds / 3)
    return go(visit, f"p/{project.id}/attack")


def _require(project: Project, id: str) -> None:
    if id not in {one["id"] for one in project.results("candidates")}:
        raise NotFound
