"""Watching: the queue, the audit log, the export."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from tokumei.contest.desk.console_log import audit, queue
from tokumei.contest.desk.contests import contest_of
from tokumei.contest.desk.export import export_contest
from tokumei.contest.web.pages.console.frame import console_page
from tokumei.contest.web.render import part
from tokumei.contest.web.visit import Here

router = APIRouter()


@router.get("/c/{slug}/console")
def show_queue(visit: Here, slug: str) -> Response:
    """What is judged and what waits."""
    found = queue(visit.place, visit.viewer, slug)
    return console_page(visit, slug, "queue", queue=found)


@router.get("/c/{slug}/console/queue")
def show_queue_alone(visit: Here, slug: str) -> Response:
    """The same, for the page that shows it."""
    found = queue(visit.place, visit.viewer, slug)
    contest = contest_of(visit.place, visit.viewer, slug)
    return part(visit, "console/jobs.html", finished=False, queue=found, contest=contest)


@router.get("/c/{slug}/console/audit")
def show_audit(visit: Here, slug: str, before: int | None = None) -> Response:
    """What was done by whom."""
    found = audit(visit.place, visit.viewer, slug, before=before)
    return console_page(visit, slug, "audit", audit=found, before=before)


@router.get("/c/{slug}/console/export")
def show_export(visit: Here, slug: str) -> Response:
    """What an export holds."""
    return console_page(visit, slug, "export")


@router.get("/c/{slug}/console/export.zip")
def send_export(visit: Here, slug: str) -> Response:
    """Everything in one zip."""
    download = export_contest(visit.place, visit.viewer, slug)
    remove = BackgroundTask(download.path.unlink, missing_ok=True)
    return FileResponse(
        download.path, filename=download.name, media_type="application/zip", background=remove
    )
