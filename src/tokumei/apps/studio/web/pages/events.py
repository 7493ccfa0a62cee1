"""Server-sent events of a project; stops and restarts jobs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.responses import Response, StreamingResponse

from tokumei.apps.http.errors import NotFound
from tokumei.apps.studio.jobs.manager import Job, JobManager
from tokumei.apps.studio.jobs.worker import JOB_HANDLERS
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.records import JobArguments
from tokumei.apps.studio.web.page_frame import JOB_LABELS
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    redirect,
)

POLL_SECONDS, HEARTBEAT_SECONDS = 0.15, 15.0
router = APIRouter()


@router.get("/p/{id}/events")
async def stream_events(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """A line whenever there is something new; the browser asks again by itself."""
    event_lines = _event_lines(visit.jobs, project, visit.lang)
    return StreamingResponse(event_lines, media_type="text/event-stream")


async def _event_lines(jobs: JobManager, project: Project, lang: str) -> AsyncIterator[str]:
    last, silent = -1, 0.0
    while True:
        version = jobs.version(project)
        if version != last:
            last, silent = version, 0.0
            job_states = [_job_to_json(job, lang) for job in jobs.of(project).values()]
            yield f"data: {json.dumps({'version': version, 'jobs': job_states})}\n\n"
        elif silent >= HEARTBEAT_SECONDS:
            silent = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(POLL_SECONDS)
        silent += POLL_SECONDS


def _job_to_json(job: Job, lang: str) -> dict[str, object]:
    words = (job.progress or JOB_LABELS[job.what]).show(lang)
    return {"what": job.what, "state": job.state, "share": job.share, "words": words}


@router.post("/p/{id}/job/{what}/{action}")
def control_job(
    visit: CurrentStudioRequest, project: CurrentProject, what: str, action: str, form: FormFields
) -> Response:
    """Stop a job, or begin it again with what it was asked before."""
    project_jobs = visit.jobs.of(project)
    if what not in JOB_HANDLERS or what not in project_jobs:
        raise NotFound
    if action == "stop":
        visit.jobs.cancel(project, what)
    elif action == "again":
        args: JobArguments = {**project_jobs[what].args, "resume": True}
        visit.start(project, what, **args)
    else:
        raise NotFound("no such action")
    return redirect(visit, f"p/{project.id}/{form.get('back') or project.state().step}")
