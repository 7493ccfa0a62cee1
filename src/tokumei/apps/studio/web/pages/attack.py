"""The page Attack: the assessment of the chosen candidate, and remedies."""

from __future__ import annotations

import re

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from tokumei.apps.http.errors import NotFound, UnprocessableContent
from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import assessment_equivalents
from tokumei.apps.studio.job_handlers.release import STALE_CANDIDATE
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.web.page_frame import render_project_page
from tokumei.apps.studio.web.pages.candidates import find_selected, start_assessment
from tokumei.apps.studio.web.pages.ledger import read_ledger_check, start_ledger_check
from tokumei.apps.studio.web.pages.release import REPORT_POLICY
from tokumei.apps.studio.web.rendering import CurrentProject, CurrentStudioRequest, redirect
from tokumei.apps.studio.web.verdict_figures import collect_figures
from tokumei.core.messages import Message

UNTRIED_NOTE = Message(
    "Not tried here: what somebody knows from other sources than this file, releases of the same "
    "people that are in no ledger, and attacks that nobody has published yet."
)
router = APIRouter()


@router.get("/p/{id}/attack")
def show_attack(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """The verdict on the chosen candidate, who finds whom, and what would help."""
    _, chosen = find_selected(project)
    if chosen is None:
        return redirect(visit, f"p/{project.id}/candidates")
    state = project.change(step="attack")
    is_current = not project.is_stale(state)
    record = project.assessment(state, chosen["id"])
    if is_current:
        start_assessment(visit, project, chosen["id"])
        if record is not None:
            start_ledger_check(visit, project, state, chosen["id"])
    return render_project_page(
        visit,
        project,
        "attack",
        title=Message("What an attacker finds"),
        same=assessment_equivalents(state, project.result("look"), chosen["request"]),
        watched=("assess", "ledger", "audit"),
        candidate=chosen,
        record=record,
        figures=collect_figures([chosen], {chosen["id"]: record} if record else {}),
        untried=UNTRIED_NOTE,
        kind=adapter_for(state),
        joint=read_ledger_check(project, state, chosen["id"]),
        recorded=_ledger_record(project, chosen["id"]),
        audit=project.result("audits", chosen["id"]) if is_current else None,
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
    if project.is_stale(state):
        raise UnprocessableContent(STALE_CANDIDATE)
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


@router.get("/p/{id}/assessment")
def show_assessment(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """The hand-over report on the chosen candidate."""
    state = project.state()
    record = project.assessment(state, state.selected[0]) if state.selected else None
    if record is None or not record["page"]:
        raise NotFound
    page = record["page"].get(visit.lang) or record["page"]["en"]
    return HTMLResponse(page, headers={"content-security-policy": REPORT_POLICY})
