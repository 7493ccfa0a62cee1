"""The frame of project pages: steps, stale results, running jobs, command drawer."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from tokumei.apps.studio.command_equivalents import Equivalents
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import STUDIO_STEPS, ProjectState
from tokumei.apps.studio.web.rendering import StudioRequest, render_page
from tokumei.core.language import language_context
from tokumei.core.messages import Message
from tokumei.pages.verdict_view import VERDICT_WORDS

STEP_TITLES = {
    "look": Message("Look"),
    "purpose": Message("Purpose"),
    "candidates": Message("Candidates"),
    "attack": Message("Attack it"),
    "release": Message("Release", context="a step of the studio"),
}
JOB_LABELS = {
    "look": Message("looking at the file", context="a job"),
    "reading": Message("reading the first rows", context="a job"),
    "advise": Message("making candidates", context="a job"),
    "preview": Message("showing rows", context="a job"),
    "assess": Message("assessing", context="a job"),
    "release": Message("writing the release"),
    "ledger": Message("checking with earlier releases", context="a job"),
    "audit": Message("auditing with people held out", context="a job"),
    "tree": Message("proposing a hierarchy", context="a job"),
    "upload": Message("making an upload for the contest"),
}


@dataclass(frozen=True)
class StepState:
    """One of the five steps: how far it is."""

    name: str
    title: Message
    state: str
    """`here`, `done`, `stale`, `open` or `closed`."""


def list_steps(project: Project, state: ProjectState, here: str) -> list[StepState]:
    """The steps in their order; one is open when what it needs is there."""
    has_result = {
        "look": project.result("look") is not None,
        "purpose": project.result("advice") is not None,
        "candidates": bool(state.selected),
        "attack": any(project.result("assessments", id) for id in state.selected[:1]),
        "release": project.result("released") is not None,
    }
    needs = {
        "purpose": "look",
        "candidates": "look",
        "attack": "candidates",
        "release": "candidates",
    }
    stale = stale_steps(project, state)
    steps = []
    for name in STUDIO_STEPS:
        is_open = name not in needs or has_result[needs[name]]
        step_state = "done" if has_result[name] else "open" if is_open else "closed"
        step_state = "stale" if name in stale and has_result[name] else step_state
        steps.append(StepState(name, STEP_TITLES[name], "here" if name == here else step_state))
    return steps


def stale_steps(project: Project, state: ProjectState) -> set[str]:
    """The steps whose results are of other decisions than those in force."""
    return {"candidates", "attack", "release"} if project.is_stale(state) else set()


def render_project_page(
    visit: StudioRequest,
    project: Project,
    here: str,
    *,
    title: Message,
    same: Equivalents,
    template: str = "",
    watched: tuple[str, ...] = (),
    **shown: object,
) -> Response:
    """A page of the step `here`; `watched` are the jobs whose progress it shows."""
    state = project.state()
    jobs = visit.jobs.of(project)
    with language_context(visit.lang):
        return render_page(
            visit,
            template or f"{here}.html",
            title=title,
            status=200,
            project=project,
            state=state,
            here=here,
            steps=list_steps(project, state, here),
            stale=here in stale_steps(project, state),
            running=[job for job in jobs.values() if job.running],
            watched=[jobs[name] for name in watched if name in jobs],
            job_words=JOB_LABELS,
            verdict_words=VERDICT_WORDS,
            same=same,
            can_undo=project.can_undo(),
            version=visit.jobs.version(project),
            **shown,
        )
