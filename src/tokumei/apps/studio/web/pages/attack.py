"""The page Attack: results of all attacks on the chosen candidate, and remedies."""

from __future__ import annotations

import re

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from tokumei.apps.http.errors import NotFound
from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import candidate_equivalents
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.records import CandidateRecord
from tokumei.apps.studio.web.page_frame import render_project_page
from tokumei.apps.studio.web.pages.candidates import find_selected
from tokumei.apps.studio.web.pages.ledger import read_ledger_check, start_ledger_check
from tokumei.apps.studio.web.pages.release import REPORT_POLICY
from tokumei.apps.studio.web.rendering import CurrentProject, CurrentStudioRequest, redirect
from tokumei.core.messages import Message

UNTRIED_NOTE = Message(
    "Not tried here: what somebody knows from other sources than this file, releases of the same "
    "people that are in no ledger, and attacks that nobody has published yet."
)
router = APIRouter()


@router.get("/p/{id}/attack")
def show_attack(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Bars against a blind guess."""
    candidates, chosen = find_selected(project)
    if chosen is None:
        return redirect(visit, f"p/{project.id}/candidates")
    state = project.change(step="attack")
    attack_result = project.result("attacks", chosen["id"])
    job = visit.jobs.of(project).get("attack")
    if attack_result is None and (
        job is None or (not job.running and job.args.get("id") != chosen["id"])
    ):
        visit.start(project, "attack", id=chosen["id"], seconds=visit.seconds / 3)
    elif attack_result is not None:
        start_ledger_check(visit, project, state, chosen["id"])
    return render_project_page(
        visit,
        project,
        "attack",
        title=Message("What an attacker finds"),
        same=candidate_equivalents(state, project.result("look"), chosen["request"]),
        watched=("attack", "ledger", "audit"),
        candidate=chosen,
        attack_result=attack_result,
        helps=[
            candidates[id]
            for id in (attack_result and attack_result.get("helps")) or []
            if _is_safer(candidates, id, chosen)
        ],
        untried=UNTRIED_NOTE,
        kind=adapter_for(state),
        joint=read_ledger_check(project, state, chosen["id"]),
        recorded=_ledger_record(project, chosen["id"]),
        audit=project.result("audits", chosen["id"]),
    )


def _ledger_record(project: Project, id: str) -> dict[str, str] | None:
    """Where a candidate that left stands in the ledger."""
    released = project.result("released")
    return released["recorded"] if released and released["candidate"] == id else None


@router.post("/p/{id}/audit")
def start_audit(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Hold people out and audit the chosen candidate."""
    state = project.state()
    if not state.selected or not adapter_for(state).audits:
        raise NotFound
    visit.start(project, "audit", id=state.selected[0])
    return redirect(visit, f"p/{project.id}/attack")


@router.get("/p/{id}/audit")
def show_audit_report(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """The whole report of the audit, with its figures."""
    selected = project.state().selected
    audit_result = project.result("audits", selected[0]) if selected else None
    if audit_result is None:
        raise NotFound
    opening = f'<html lang="{visit.lang}">'  # the page holds all languages
    page = re.sub("<html lang=[^>]*>", opening, str(audit_result["page"]), count=1)
    return HTMLResponse(page, headers={"content-security-policy": REPORT_POLICY})


def _is_safer(candidates: dict[str, CandidateRecord], id: str, chosen: CandidateRecord) -> bool:
    """Whether fewer people are found in a candidate than in the chosen one."""
    before, after = (_people_found(candidate) for candidate in (chosen, candidates.get(id)))
    return before is not None and after is not None and after < before


def _people_found(candidate: CandidateRecord | None) -> float | None:
    risk = None if candidate is None else candidate["figures"][candidate["counted"]]
    return None if risk is None else float(risk["people"])
