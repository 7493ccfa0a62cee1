"""Routes about contests and what everybody may see of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from tokumei.apps.contest.api.multipart import NO_FILE, read_upload_form
from tokumei.apps.contest.api.routing import (
    READ_ERRORS,
    CurrentContext,
    CurrentViewer,
    Slug,
    ViewRouter,
    form_schema,
)
from tokumei.apps.contest.services.contests import (
    MOST_BYTES,
    create_contest,
    get_contest_view,
    get_data_file,
    list_contests,
)
from tokumei.apps.contest.services.entry_views import BoardView, MatrixView, PointView
from tokumei.apps.contest.services.leaderboard import (
    build_attack_matrix,
    build_leaderboard,
    list_score_points,
)
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.http.errors import UnprocessableContent

routes = ViewRouter(tags=["contests"])
CREATE_ERRORS = (401, 403, 408, 409, 413, 415, 422, 507)
BINARY_TYPE = "application/octet-stream"
DataKey = Annotated[str, Path(max_length=100)]


@routes.get("/contests", "All contests", lists="Contests")
def get_contests(place: CurrentContext, asker: CurrentViewer) -> tuple[ContestView, ...]:
    """Running ones, then coming, ended, archived; drafts to their organisers."""
    return list_contests(place, asker)


@routes.post(
    "/contests",
    "A new contest (organisers)",
    *CREATE_ERRORS,
    status=201,
    openapi_extra=form_schema(),
)
async def upload_contest(
    place: CurrentContext, asker: CurrentViewer, request: Request, draft: bool = False
) -> ContestView:
    """A zip of contest.yaml and the files it names; a draft is seen by organisers alone."""
    asker.require_server()
    async with read_upload_form(place, request, most_bytes=MOST_BYTES) as form:
        if not form.files:
            raise UnprocessableContent(NO_FILE)
        contest_view = await run_in_threadpool(
            create_contest, place, asker, form.files[0].path, draft=draft
        )
        form.discard()
        return contest_view


@routes.get("/contests/{slug}", "A contest", 404)
def get_contest(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> ContestView:
    """Rules, phases, quotas."""
    return get_contest_view(place, asker, slug)


@routes.get(
    "/contests/{slug}/data/{key}", "A data file (members of teams)", *READ_ERRORS, sends=BINARY_TYPE
)
def download_data_file(
    slug: Slug, key: DataKey, place: CurrentContext, asker: CurrentViewer
) -> FileResponse:
    """`key` as in the contest's `data`."""
    download = get_data_file(place, asker, slug, key)
    return FileResponse(download.path, filename=download.name, media_type=BINARY_TYPE)


@routes.get("/contests/{slug}/leaderboard", "The leaderboard", 404)
def get_leaderboard(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> BoardView:
    """Teams and attackers in order; `hidden` tells why something is not shown."""
    return build_leaderboard(place, asker, slug)


@routes.get("/contests/{slug}/matrix", "Attackers × defenders", 404)
def get_attack_matrix(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> MatrixView:
    """Who found what in whose releases."""
    return build_attack_matrix(place, asker, slug)


@routes.get("/contests/{slug}/points", "The utility–safety plot", 404, lists="Points")
def get_score_points(
    slug: Slug, place: CurrentContext, asker: CurrentViewer
) -> tuple[PointView, ...]:
    """What the leaderboard shows, and one's own releases."""
    return list_score_points(place, asker, slug)
