"""Routes about contests and what everybody may see of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from tokumei.contest.api.answers import Contests, Points
from tokumei.contest.api.asking import LOOK, Asker, Here, Slug, form
from tokumei.contest.api.forms import read_form
from tokumei.contest.api.routes import Routes
from tokumei.contest.desk.board import leaderboard, matrix, points
from tokumei.contest.desk.board_views import BoardView, MatrixView
from tokumei.contest.desk.contest_files import MOST_BYTES
from tokumei.contest.desk.contests import contest_of, contests, create_contest, data_file
from tokumei.contest.desk.views import ContestView
from tokumei.core.text import Text
from tokumei.http.refusals import Wrong

routes = Routes(tags=["contests"])
REFUSED = (401, 403, 408, 409, 413, 415, 422, 507)
BYTES = "application/octet-stream"
DataKey = Annotated[str, Path(max_length=100)]
NO_FILE = Text("a file is missing in the form", "フォームにファイルがありません")


@routes.get("/contests", "All contests")
def list_contests(place: Here, asker: Asker) -> Contests:
    """The newest first."""
    return Contests(contests(place, asker))


@routes.post("/contests", "A new contest (organisers)", *REFUSED, status=201, openapi_extra=form())
async def new_contest(place: Here, asker: Asker, request: Request) -> ContestView:
    """A zip of contest.yaml and the files it names."""
    asker.require_organiser()
    async with read_form(place, request, most_bytes=MOST_BYTES) as form:
        if not form.files:
            raise Wrong(NO_FILE)
        made = await run_in_threadpool(create_contest, place, asker, form.files[0].path)
        form.discard()
        return made


@routes.get("/contests/{slug}", "A contest", 404)
def one_contest(slug: Slug, place: Here, asker: Asker) -> ContestView:
    """Rules, phases, quotas."""
    return contest_of(place, asker, slug)


@routes.get("/contests/{slug}/data/{key}", "A data file (members of teams)", *LOOK, sends=BYTES)
def contest_data(slug: Slug, key: DataKey, place: Here, asker: Asker) -> FileResponse:
    """`key` as in the contest's `data`."""
    found = data_file(place, asker, slug, key)
    return FileResponse(found.path, filename=found.name, media_type=BYTES)


@routes.get("/contests/{slug}/leaderboard", "The leaderboard", 404)
def board(slug: Slug, place: Here, asker: Asker) -> BoardView:
    """Teams and attackers in order; `hidden` tells why something is not shown."""
    return leaderboard(place, asker, slug)


@routes.get("/contests/{slug}/matrix", "Attackers × defenders", 404)
def attack_matrix(slug: Slug, place: Here, asker: Asker) -> MatrixView:
    """Who found what in whose releases."""
    return matrix(place, asker, slug)


@routes.get("/contests/{slug}/points", "The utility–safety plot", 404)
def plot(slug: Slug, place: Here, asker: Asker) -> Points:
    """What the leaderboard shows, and one's own releases."""
    return Points(points(place, asker, slug))
