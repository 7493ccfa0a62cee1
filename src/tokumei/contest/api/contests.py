"""Routes about contests, what everybody may see of them, and what teams upload."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from tokumei.contest.api.forms import read_form
from tokumei.contest.api.routes import (
    LOOK,
    Asker,
    EntryId,
    FaultsFrom,
    Here,
    Key,
    Routes,
    Slug,
    form,
)
from tokumei.contest.desk import entries
from tokumei.contest.desk.board import leaderboard, matrix, points
from tokumei.contest.desk.contests import (
    MOST_BYTES,
    contest_of,
    contests,
    create_contest,
    data_file,
)
from tokumei.contest.desk.entry_rows import Kind
from tokumei.contest.desk.entry_views import BoardView, EntryView, MatrixView, PointView, TargetView
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import public_file, target_of, targets
from tokumei.contest.desk.uploads import attack, may_upload, submit
from tokumei.contest.desk.views import ContestView
from tokumei.core.text import Text
from tokumei.http.pool import in_upload_thread
from tokumei.http.refusals import Wrong

routes = Routes(tags=["contests"])
REFUSED = (401, 403, 408, 409, 413, 415, 422, 507)
BYTES = "application/octet-stream"
DataKey = Annotated[str, Path(max_length=100)]
NO_FILE = Text("a file is missing in the form", "フォームにファイルがありません")
uploads = Routes(prefix="/contests/{slug}", tags=["uploads"])
MOST_GUESS_FILES = 20
FAULTS_AT_ONCE = 1000
LABEL = {"label": {"type": "string", "maxLength": 100}}
UPLOAD_REFUSED = (401, 403, 404, 408, 409, 413, 415, 422, 429, 507)


@routes.get("/contests", "All contests", lists="Contests")
def list_contests(place: Here, asker: Asker) -> tuple[ContestView, ...]:
    """Running ones, then coming, ended, archived; drafts to their organisers."""
    return contests(place, asker)


@routes.post("/contests", "A new contest (organisers)", *REFUSED, status=201, openapi_extra=form())
async def new_contest(
    place: Here, asker: Asker, request: Request, draft: bool = False
) -> ContestView:
    """A zip of contest.yaml and the files it names; a draft is seen by organisers alone."""
    asker.require_server()
    async with read_form(place, request, most_bytes=MOST_BYTES) as form:
        if not form.files:
            raise Wrong(NO_FILE)
        made = await run_in_threadpool(
            create_contest, place, asker, form.files[0].path, draft=draft
        )
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


@routes.get("/contests/{slug}/points", "The utility–safety plot", 404, lists="Points")
def plot(slug: Slug, place: Here, asker: Asker) -> tuple[PointView, ...]:
    """What the leaderboard shows, and one's own releases."""
    return points(place, asker, slug)


@uploads.post(
    "/submissions", "Upload a release", *UPLOAD_REFUSED, status=201, openapi_extra=form(LABEL)
)
async def send_release(
    slug: Slug, place: Here, asker: Asker, request: Request, key: Key = None
) -> EntryView:
    """A(T) as csv, csv.gz or zip. 201 also if it breaks rules: then `state` is `rejected`.

    The deadline holds for the moment at which the request has arrived completely.
    """
    return await _upload(place, asker, slug, request, key=key)


@uploads.get("/submissions", "One's team's releases", *LOOK, lists="Entries")
def list_releases(slug: Slug, place: Here, asker: Asker) -> tuple[EntryView, ...]:
    """The newest first."""
    return entries.my_entries(place, asker, slug, kind="release")


@uploads.get("/submissions/{entry_id}", "One release, with faults, steps and scores", 401, 404)
def one_release(
    slug: Slug, entry_id: EntryId, place: Here, asker: Asker, faults_from: FaultsFrom = 0
) -> EntryView:
    """Of one's own team; at most 1,000 of its `fault_total` faults at a time."""
    return _entry(place, asker, slug, entry_id, "release", faults_from)


@uploads.post(
    "/submissions/{entry_id}/publish", "Choose a release to be ranked and attacked", *LOOK, 409, 429
)
def publish(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> EntryView:
    """While the anonymize phase lasts."""
    return entries.publish(place, asker, slug, entry_id)


@uploads.delete("/submissions/{entry_id}/publish", "Take a choice back", *LOOK, 409)
def unpublish(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> EntryView:
    """While the anonymize phase lasts."""
    return entries.unpublish(place, asker, slug, entry_id)


@uploads.post("/submissions/{entry_id}/cancel", "Take back an upload that waits", *LOOK, 409)
def cancel(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> EntryView:
    """A release or an attack; costs no quota."""
    return entries.cancel(place, asker, slug, entry_id)


@uploads.get("/targets", "Published releases (members of teams)", *LOOK, lists="Targets")
def list_targets(slug: Slug, place: Here, asker: Asker) -> tuple[TargetView, ...]:
    """Empty before the first attack phase."""
    return targets(place, asker, slug)


@uploads.get("/targets/{target_id}", "A published release", *LOOK)
def one_target(slug: Slug, target_id: EntryId, place: Here, asker: Asker) -> TargetView:
    """With attempts left."""
    return target_of(place, asker, slug, target_id)


@uploads.get("/targets/{target_id}/public", "S of a published release", *LOOK, sends="text/csv")
def target_file(slug: Slug, target_id: EntryId, place: Here, asker: Asker) -> FileResponse:
    """Rows sorted as text."""
    found = public_file(place, asker, slug, target_id)
    return FileResponse(found.path, filename=found.name, media_type="text/csv")


@uploads.post(
    "/targets/{target_id}/attacks",
    "Upload guesses on a target",
    *UPLOAD_REFUSED,
    status=201,
    openapi_extra=form(LABEL, several=True),
)
async def send_attack(
    slug: Slug, target_id: EntryId, place: Here, asker: Asker, request: Request, key: Key = None
) -> EntryView:
    """One file or zip, or all guess files by their names."""
    return await _upload(place, asker, slug, request, target=target_id, key=key)


@uploads.get("/attacks", "One's team's attacks", *LOOK, lists="Entries")
def list_attacks(slug: Slug, place: Here, asker: Asker) -> tuple[EntryView, ...]:
    """The newest first."""
    return entries.my_entries(place, asker, slug, kind="attack")


@uploads.get("/attacks/{entry_id}", "One attack", 401, 404)
def one_attack(
    slug: Slug, entry_id: EntryId, place: Here, asker: Asker, faults_from: FaultsFrom = 0
) -> EntryView:
    """Of one's own team; `found` tells what the contest's feedback allows."""
    return _entry(place, asker, slug, entry_id, "attack", faults_from)


def _entry(
    place: Place, asker: Viewer, slug: str, entry_id: str, kind: Kind, faults_from: int
) -> EntryView:
    faults = slice(faults_from, faults_from + FAULTS_AT_ONCE)
    return entries.entry_of(place, asker, slug, entry_id, kind=kind, faults=faults)


async def _upload(
    place: Place,
    asker: Viewer,
    slug: str,
    request: Request,
    *,
    target: str | None = None,
    key: str | None = None,
) -> EntryView:
    """Rights and quotas first, then the body, then the upload is taken."""
    most_files = 1 if target is None else MOST_GUESS_FILES
    most = await run_in_threadpool(may_upload, place, asker, slug, target=target, key=key)
    async with read_form(place, request, most_bytes=most, most_files=most_files) as form:
        if not form.files:
            raise Wrong(NO_FILE)
        label, files = form.fields.get("label", ""), form.files
        if target is None:
            sent = partial(submit, place, asker, slug, files[0])
        else:
            sent = partial(attack, place, asker, slug, target, files)
        return await in_upload_thread(sent, label=label, key=key)
