"""Routes about contests and what everybody may see of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, Response

from tokumei.contest.api.answers import Contests, Points
from tokumei.contest.api.asking import FILE, Asker, Here, Slug, file_answer, refusals, shown
from tokumei.contest.api.forms import read_form
from tokumei.contest.desk.board import leaderboard, matrix, points
from tokumei.contest.desk.board_views import BoardView, MatrixView
from tokumei.contest.desk.contest_files import MOST_BYTES
from tokumei.contest.desk.contests import contest_of, contests, create_contest, data_file
from tokumei.contest.desk.views import ContestView
from tokumei.core.text import Text
from tokumei.http.refusals import Wrong

router = APIRouter(tags=["contests"])
CONTEST_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {"type": "object", "properties": {"file": FILE}, "required": ["file"]}
            }
        },
    }
}
DataKey = Annotated[str, Path(max_length=100)]
NO_FILE = Text("a file is missing in the form", "フォームにファイルがありません")


@router.get("/contests", response_model=Contests, summary="All contests")
def list_contests(place: Here, asker: Asker) -> Response:
    """The newest first."""
    return shown(Contests(contests(place, asker)))


@router.post(
    "/contests",
    response_model=ContestView,
    status_code=201,
    responses=refusals(401, 403, 408, 409, 413, 415, 422, 507),
    openapi_extra=CONTEST_FORM,
    summary="A new contest (organisers)",
)
async def new_contest(place: Here, asker: Asker, request: Request) -> Response:
    """A zip of contest.yaml and the files it names."""
    asker.require_organiser()
    async with read_form(place, request, most_bytes=MOST_BYTES) as form:
        if not form.files:
            raise Wrong(NO_FILE)
        made = await run_in_threadpool(create_contest, place, asker, form.files[0].path)
        form.discard()
        return shown(made, 201)


@router.get(
    "/contests/{slug}", response_model=ContestView, responses=refusals(404), summary="A contest"
)
def one_contest(slug: Slug, place: Here, asker: Asker) -> Response:
    """Rules, phases, quotas."""
    return shown(contest_of(place, asker, slug))


@router.get(
    "/contests/{slug}/data/{key}",
    responses=refusals(401, 403, 404) | file_answer("application/octet-stream"),
    response_class=FileResponse,
    summary="A data file (members of teams)",
)
def contest_data(slug: Slug, key: DataKey, place: Here, asker: Asker) -> Response:
    """`key` as in the contest's `data`."""
    found = data_file(place, asker, slug, key)
    return FileResponse(found.path, filename=found.name, media_type="application/octet-stream")


@router.get(
    "/contests/{slug}/leaderboard",
    response_model=BoardView,
    responses=refusals(404),
    summary="The leaderboard",
)
def board(slug: Slug, place: Here, asker: Asker) -> Response:
    """Teams and attackers in order; `hidden` tells why something is not shown."""
    return shown(leaderboard(place, asker, slug))


@router.get(
    "/contests/{slug}/matrix",
    response_model=MatrixView,
    responses=refusals(404),
    summary="Attackers × defenders",
)
def attack_matrix(slug: Slug, place: Here, asker: Asker) -> Response:
    """Who found what in whose releases."""
    return shown(matrix(place, asker, slug))


@router.get(
    "/contests/{slug}/points",
    response_model=Points,
    responses=refusals(404),
    summary="The utility–safety plot",
)
def plot(slug: Slug, place: Here, asker: Asker) -> Response:
    """What the leaderboard shows, and one's own releases."""
    return shown(Points(points(place, asker, slug)))
