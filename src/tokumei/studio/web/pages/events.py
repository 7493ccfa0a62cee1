"""What happens in a project, as server-sent events; and jobs stopped or begun again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.responses import Response, StreamingResponse

from tokumei.http.refusals import NotFound
from tokumei.studio.jobs.board import Job, Jobs
from tokumei.studio.jobs.child import TASKS
from tokumei.studio.store.project import Project
from tokumei.studio.web.frame import JOBS
from tokumei.studio.web.render import At, Here, Posted, go

LOOK_SECONDS, BEAT_SECONDS = 0.15, 15.0
router = APIRouter()


@router.get("/p/{id}/events")
async def events(visit: Here, project: At) -> Response:
    """A line whenever there is something new; the browser asks again by itself."""
    told = _told(visit.jobs, project, visit.lang)
    return StreamingResponse(told, media_type="text/event-stream")


async def _told(jobs: Jobs, project: Project, lang: str) -> AsyncIterator[str]:
    last, silent = -1, 0.0
    while True:
        version = jobs.version(project)
        if version != last:
            last, silent = version, 0.0
            found = [_job(job, lang) for job in jobs.of(project).values()]
            yield f"data: {json.dumps({'version': version, 'jobs': found})}\n\n"
        elif silent >= BEAT_SECONDS:
            silent = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(LOOK_SECONDS)
        silent += LOOK_SECONDS


def _job(job: Job, lang: str) -> dict[str, object]:
    words = job.words[1 if lang == "ja" else 0] or JOBS[job.what]._asdict()[lang]
    return {"what": job.what, "state": job.state, "share": job.share, "words": words}


@router.post("/p/{id}/job/{what}/{action}")
def job(visit: Here, project: At, what: str, action: str, form: Posted) -> Response:
    """Stop a job, or begin it again with what it was asked before."""
    known = visit.jobs.of(project)
    if what not in TASKS or what not in known:
        raise NotFound
    if action == "stop":
        visit.jobs.cancel(project, what)
    elif action == "again":
        visit.start(project, what, **{**known[what].args, "resume": True})
    else:
        raise NotFound("no such action", "この操作はありません")
    return go(visit, f"p/{project.id}/{form.get('back') or project.state().step}")
