"""The pages Candidates and Compare: people found against information kept, and details."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tokumei.apps.http.errors import NotFound, UnprocessableContent
from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import candidate_equivalents
from tokumei.apps.studio.job_handlers.release import STALE_CANDIDATE
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import CandidateRecord
from tokumei.apps.studio.web.near_outcome import describe_near
from tokumei.apps.studio.web.page_frame import render_project_page
from tokumei.apps.studio.web.pages.look import require_profile
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    StudioRequest,
    redirect,
)
from tokumei.apps.studio.web.scatter_plot import plot_candidates
from tokumei.apps.studio.web.verdict_figures import VerdictFigures, collect_figures, preselect
from tokumei.core.language import language_context
from tokumei.core.messages import Message

WISH_LABELS = {
    "safer": Message("Safer"),
    "more detail": Message("More detail"),
    "without suppressed rows": Message("No rows left out"),
    "drop": Message("Without a column"),
}
router = APIRouter()
PickedIds = Annotated[tuple[str, ...], Query(max_length=4)]


def list_candidates(project: Project) -> list[CandidateRecord]:
    """The candidates in the order in which they came."""
    return sorted(project.candidates(), key=lambda candidate: candidate["order"])


def find_selected(project: Project) -> tuple[dict[str, CandidateRecord], CandidateRecord | None]:
    """The candidates by id, and the one that was chosen, if it is among them."""
    by_id = {candidate["id"]: candidate for candidate in list_candidates(project)}
    return by_id, next((by_id.get(id) for id in project.state().selected), None)


def _choose_compared(
    all_candidates: Sequence[CandidateRecord],
    figures: Mapping[str, VerdictFigures],
    asked_ids: Sequence[str],
    state: ProjectState,
) -> list[CandidateRecord]:
    """At most two: those asked for, else selected before, else the one to be preferred."""
    by_id = {candidate["id"]: candidate for candidate in all_candidates}
    shown_ids = [id for id in asked_ids if id in by_id] or [
        id for id in state.selected if id in by_id
    ]
    if not shown_ids:
        preferred = preselect(all_candidates, figures)
        return [] if preferred is None else [preferred]
    return [by_id[id] for id in dict.fromkeys(shown_ids[:2])]


@router.get("/p/{id}/candidates")
def show_candidates(
    visit: CurrentStudioRequest, project: CurrentProject, c: PickedIds = ()
) -> Response:
    """All candidates, and the one that is looked at; nothing of void ones."""
    look = require_profile(visit, project)
    state = project.change(step="candidates")
    all_candidates = [] if project.is_stale(state) else list_candidates(project)
    assessments = project.assessments(state)
    figures = collect_figures(all_candidates, assessments)
    shown_candidates = _choose_compared(all_candidates, figures, c, state)
    _start_preview(visit, project, shown_candidates)
    kind = adapter_for(state)
    with language_context(visit.lang):
        plane = plot_candidates(
            all_candidates, figures, [candidate["id"] for candidate in shown_candidates], kind=kind
        )
        near = describe_near(project.result("near"), {c["id"]: c for c in all_candidates}, figures)
    return render_project_page(
        visit,
        project,
        "candidates",
        title=Message("Choose a candidate"),
        same=candidate_equivalents(
            state, look, shown_candidates[0]["request"] if shown_candidates else None
        ),
        watched=("advise",),
        advice=project.result("advice"),
        candidates=sorted(all_candidates, key=lambda candidate: _rank(candidate, figures)),
        figures=figures,
        assessments=assessments,
        time_was_up=_time_was_up(project),
        none_fits=bool(figures) and not any(f.verdict == "fits" for f in figures.values()),
        near=near,
        plane=plane,
        chosen=shown_candidates,
        kind=kind,
        previews={
            candidate["id"]: project.result("previews", candidate["id"])
            for candidate in shown_candidates
        },
        wishes={wish: words for wish, words in WISH_LABELS.items() if wish in kind.wishes},
    )


def _time_was_up(project: Project) -> bool:
    """Whether the search ended before everything was tried."""
    advice = project.result("advice")
    return (
        advice is not None
        and advice["ended"]
        and advice.get("budget", {}).get("ended") == "seconds"
    )


def _rank(candidate: CandidateRecord, figures: Mapping[str, VerdictFigures]) -> tuple[float, ...]:
    """The order of the list: the one to be preferred first."""
    entry = figures.get(candidate["id"])
    return (3.0,) if entry is None else entry.rank


def _start_preview(
    visit: StudioRequest, project: Project, chosen: Sequence[CandidateRecord]
) -> None:
    """Ask for rows of what is looked at, when nothing else is being worked on."""
    missing = [
        candidate["id"]
        for candidate in chosen
        if project.result("previews", candidate["id"]) is None
    ]
    jobs = visit.jobs.of(project)
    busy = any(job.running for name, job in jobs.items() if name in ("preview", "advise"))
    last_preview = jobs.get("preview")
    already_failed = (
        last_preview is not None
        and last_preview.state == "failed"
        and last_preview.args.get("ids") == missing
    )
    if missing and not busy and not already_failed:
        visit.start(project, "preview", ids=missing)


@router.get("/p/{id}/compare")
def show_comparison(
    visit: CurrentStudioRequest, project: CurrentProject, c: PickedIds = ()
) -> Response:
    """Two candidates side by side."""
    look = require_profile(visit, project)
    state = project.state()
    all_candidates = [] if project.is_stale(state) else list_candidates(project)
    assessments = project.assessments(state)
    pair = [candidate for id in c[:2] for candidate in all_candidates if candidate["id"] == id]
    _start_preview(visit, project, pair)
    return render_project_page(
        visit,
        project,
        "candidates",
        template="compare.html",
        title=Message("Two candidates side by side"),
        same=candidate_equivalents(state, look, pair[0]["request"] if pair else None),
        watched=("preview",),
        candidates=all_candidates,
        figures=collect_figures(all_candidates, assessments),
        assessments=assessments,
        pair=pair,
        kind=adapter_for(state),
        picked_ids=[*c[:2], "", ""][:2],
        previews={
            candidate["id"]: project.result("previews", candidate["id"]) for candidate in pair
        },
    )


@router.post("/p/{id}/near")
def start_near_search(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """New candidates near one."""
    id, wishes = str(form.get("id", "")), adapter_for(project.state()).wishes
    _require_candidate(project, id)
    wish = next((wish for wish in wishes if wish == form.get("wish")), None)
    if wish is None:
        raise NotFound
    column = str(form.get("column") or "") or None
    if wish == "drop" and column not in project.state().roles:
        raise UnprocessableContent("choose the column to leave out")
    seconds = visit.seconds / 2
    visit.start(project, "advise", near=id, wish=wish, column=column, seconds=seconds)
    return redirect(visit, f"p/{project.id}/candidates?c={id}")


@router.post("/p/{id}/fix")
def start_remedy(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """Do what a measured remedy says: a new candidate, or another recipient."""
    id, number = str(form.get("id", "")), str(form.get("remedy", ""))
    _require_candidate(project, id)
    state = project.state()
    record = project.assessment(state, id)
    remedies = (
        [] if record is None or record["document"] is None else record["document"]["remedies"]
    )
    if not number.isdecimal() or int(number) >= len(remedies):
        raise NotFound
    remedy = remedies[int(number)]
    if remedy["action"] == "scenario":
        recipient = remedy["parameters"]["recipient"]
        project.change(purpose={**state.purpose.model_dump(), "recipient": recipient}, selected=[])
        visit.start(project, "advise", seconds=visit.seconds)
        return redirect(visit, f"p/{project.id}/candidates")
    steps = {"action": remedy["action"], "parameters": remedy["parameters"]}
    visit.start(project, "advise", near=id, remedy=steps, seconds=visit.seconds / 2)
    return redirect(visit, f"p/{project.id}/candidates?c={id}")


@router.post("/p/{id}/more")
def continue_search(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Go on with a search whose time was up; what it found stays."""
    if project.is_stale(project.state()):
        raise UnprocessableContent(STALE_CANDIDATE)
    visit.start(project, "advise", seconds=visit.seconds)
    return redirect(visit, f"p/{project.id}/candidates")


@router.post("/p/{id}/renew")
def renew_candidates(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """New candidates for the decisions in force."""
    project.change(selected=[])
    visit.start(project, "advise", seconds=visit.seconds)
    return redirect(visit, f"p/{project.id}/candidates")


@router.post("/p/{id}/choose")
def choose_candidate(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """Take a candidate on to the next step, where it is assessed with everything."""
    id = str(form.get("id", ""))
    _require_candidate(project, id)
    project.change(selected=[id])
    start_assessment(visit, project, id)
    return redirect(visit, f"p/{project.id}/attack")


def start_assessment(visit: StudioRequest, project: Project, id: str) -> None:
    """Assess a candidate with remedies, once, unless that failed or runs already."""
    record = project.assessment(project.state(), id)
    job = visit.jobs.of(project).get("assess")
    inputs = project.state().inputs("candidates")
    asked = job is not None and (job.args.get("id"), job.args.get("inputs")) == (id, inputs)
    if (record is None or not record["full"]) and not asked:
        visit.start(project, "assess", id=id, inputs=inputs)


def _require_candidate(project: Project, id: str) -> None:
    """Fail unless there is this candidate, of the decisions in force."""
    if project.is_stale(project.state()):
        raise UnprocessableContent(STALE_CANDIDATE)
    if id not in {candidate["id"] for candidate in project.candidates()}:
        raise NotFound
