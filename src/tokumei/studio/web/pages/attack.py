"""The page Attack: what the whole suite finds in the chosen candidate, and what would help."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from tokumei.core.text import Text
from tokumei.http.refusals import NotFound
from tokumei.studio.kinds.kind import kind_of
from tokumei.studio.recipes import same_as_candidate
from tokumei.studio.store.project import Project
from tokumei.studio.web.frame import project_page
from tokumei.studio.web.pages.candidates import selected_of
from tokumei.studio.web.pages.joint import joint_of, keep_checked
from tokumei.studio.web.pages.release import SEEN
from tokumei.studio.web.render import At, Here, go

UNTRIED = Text(
    "Not tried here: what somebody knows from other sources than this file, releases of the same "
    "people that no ledger tells of, and attacks nobody has published yet.",
    "試していないもの: このファイル以外から得た知識、台帳にない、同じ人々の公開データとの"
    "突き合わせ、まだ知られていない攻撃。",
)
router = APIRouter()


@router.get("/p/{id}/attack")
def attack(visit: Here, project: At) -> Response:
    """Bars against a blind guess."""
    found, chosen = selected_of(project)
    if chosen is None:
        return go(visit, f"p/{project.id}/candidates")
    state = project.change(step="attack")
    told = project.result(f"attacks/{chosen['id']}")
    job = visit.jobs.of(project).get("attack")
    if told is None and (job is None or (not job.running and job.args.get("id") != chosen["id"])):
        visit.start(project, "attack", id=chosen["id"], seconds=visit.seconds / 3)
    elif told is not None:
        keep_checked(visit, project, state, chosen["id"])
    return project_page(
        visit,
        project,
        "attack",
        title=Text("What an attacker finds", "攻撃者に分かること"),
        same=same_as_candidate(state, project.result("look"), chosen["request"]),
        watched=("attack", "ledger", "audit"),
        one=chosen,
        told=told,
        helps=[found[id] for id in (told or {}).get("helps") or [] if _helps(found, id, chosen)],
        untried=UNTRIED,
        kind=kind_of(state),
        joint=joint_of(project, state, chosen["id"]),
        recorded=_recorded(project, chosen["id"]),
        audit=project.result(f"audits/{chosen['id']}"),
    )


def _recorded(project: Project, id: str) -> dict[str, str] | None:
    """Where a candidate that left stands in the ledger."""
    done = project.result("released")
    found = done.get("recorded") if done is not None and done["candidate"] == id else None
    return found or None


@router.post("/p/{id}/audit")
def audit(visit: Here, project: At) -> Response:
    """Hold people out and audit the chosen candidate."""
    state = project.state()
    if not state.selected or not kind_of(state).audits:
        raise NotFound
    visit.start(project, "audit", id=state.selected[0])
    return go(visit, f"p/{project.id}/attack")


@router.get("/p/{id}/audit")
def audit_page(project: At) -> Response:
    """The whole report of the audit, with its figures."""
    chosen = project.state().selected
    found = project.result(f"audits/{chosen[0]}") if chosen else None
    if found is None:
        raise NotFound
    return HTMLResponse(found["page"], headers={"content-security-policy": SEEN})


def _helps(found: dict[str, Any], id: str, chosen: dict[str, Any]) -> bool:
    """Whether fewer people are found in a candidate than in the chosen one."""
    before, after = (_people(one) for one in (chosen, found.get(id)))
    return before is not None and after is not None and after < before


def _people(one: dict[str, Any] | None) -> float | None:
    risk = None if one is None else one["figures"][one["counted"]]
    return None if risk is None else float(risk["people"])
