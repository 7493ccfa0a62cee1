"""Routes about contests, their public data, and uploads of teams."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from tokumei.apps.contest.api.multipart import read_upload_form
from tokumei.apps.contest.api.routing import (
    READ_ERRORS,
    CurrentContext,
    CurrentViewer,
    EntryId,
    FaultsFrom,
    IdempotencyKey,
    Slug,
    ViewRouter,
    form_schema,
)
from tokumei.apps.contest.services import entries
from tokumei.apps.contest.services.contests import (
    MOST_BYTES,
    create_contest,
    get_contest_view,
    get_data_file,
    list_contests,
)
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.entry_view_builder import EntryKind
from tokumei.apps.contest.services.entry_views import (
    BoardView,
    EntryView,
    MatrixView,
    PointView,
    TargetView,
)
from tokumei.apps.contest.services.leaderboard import (
    build_attack_matrix,
    build_leaderboard,
    list_score_points,
)
from tokumei.apps.contest.services.published_releases import (
    get_public_file,
    get_target_view,
    list_targets,
)
from tokumei.apps.contest.services.uploads import (
    allowed_upload_bytes,
    submit_attack,
    submit_release,
)
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.http.executor import run_in_upload_thread
from tokumei.core.messages import Message

routes = ViewRouter(tags=["contests"])
CREATE_ERRORS = (401, 403, 408, 409, 413, 415, 422, 507)
BINARY_TYPE = "application/octet-stream"
DataKey = Annotated[str, Path(max_length=100)]
NO_FILE = Message("a file is missing in the form", "フォームにファイルがありません")
upload_routes = ViewRouter(prefix="/contests/{slug}", tags=["uploads"])
MOST_GUESS_FILES = 20
VIOLATIONS_PER_PAGE = 1000
LABEL_FIELD = {"label": {"type": "string", "maxLength": 100}}
UPLOAD_ERRORS = (401, 403, 404, 408, 409, 413, 415, 422, 429, 507)


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


@upload_routes.post(
    "/submissions",
    "Upload a release",
    *UPLOAD_ERRORS,
    status=201,
    openapi_extra=form_schema(LABEL_FIELD),
)
async def upload_release(
    slug: Slug,
    place: CurrentContext,
    asker: CurrentViewer,
    request: Request,
    key: IdempotencyKey = None,
) -> EntryView:
    """A(T) as csv, csv.gz or zip. 201 also if it breaks rules: then `state` is `rejected`.

    The deadline holds for the moment at which the request has arrived completely.
    """
    return await _receive_upload(place, asker, slug, request, key=key)


@upload_routes.get("/submissions", "One's team's releases", *READ_ERRORS, lists="Entries")
def list_releases(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> tuple[EntryView, ...]:
    """The newest first."""
    return entries.list_team_entries(place, asker, slug, kind="release")


@upload_routes.get(
    "/submissions/{entry_id}", "One release, with faults, steps and scores", 401, 404
)
def get_release(
    slug: Slug,
    entry_id: EntryId,
    place: CurrentContext,
    asker: CurrentViewer,
    faults_from: FaultsFrom = 0,
) -> EntryView:
    """Of one's own team; at most 1,000 of its `fault_total` faults at a time."""
    return _get_entry(place, asker, slug, entry_id, "release", faults_from)


@upload_routes.post(
    "/submissions/{entry_id}/publish",
    "Choose a release to be ranked and attacked",
    *READ_ERRORS,
    409,
    429,
)
def publish_release(
    slug: Slug, entry_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> EntryView:
    """While the anonymize phase lasts."""
    return entries.publish_release(place, asker, slug, entry_id)


@upload_routes.delete("/submissions/{entry_id}/publish", "Take a choice back", *READ_ERRORS, 409)
def unpublish_release(
    slug: Slug, entry_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> EntryView:
    """While the anonymize phase lasts."""
    return entries.unpublish_release(place, asker, slug, entry_id)


@upload_routes.post(
    "/submissions/{entry_id}/cancel", "Take back an upload that waits", *READ_ERRORS, 409
)
def cancel_upload(
    slug: Slug, entry_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> EntryView:
    """A release or an attack; costs no quota."""
    return entries.cancel_entry(place, asker, slug, entry_id)


@upload_routes.get(
    "/targets", "Published releases (members of teams)", *READ_ERRORS, lists="Targets"
)
def get_targets(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> tuple[TargetView, ...]:
    """Empty before the first attack phase."""
    return list_targets(place, asker, slug)


@upload_routes.get("/targets/{target_id}", "A published release", *READ_ERRORS)
def get_target(
    slug: Slug, target_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> TargetView:
    """With attempts left."""
    return get_target_view(place, asker, slug, target_id)


@upload_routes.get(
    "/targets/{target_id}/public", "S of a published release", *READ_ERRORS, sends="text/csv"
)
def download_target_file(
    slug: Slug, target_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> FileResponse:
    """Rows sorted as text."""
    download = get_public_file(place, asker, slug, target_id)
    return FileResponse(download.path, filename=download.name, media_type="text/csv")


@upload_routes.post(
    "/targets/{target_id}/attacks",
    "Upload guesses on a target",
    *UPLOAD_ERRORS,
    status=201,
    openapi_extra=form_schema(LABEL_FIELD, several=True),
)
async def upload_attack(
    slug: Slug,
    target_id: EntryId,
    place: CurrentContext,
    asker: CurrentViewer,
    request: Request,
    key: IdempotencyKey = None,
) -> EntryView:
    """One file or zip, or all guess files by their names."""
    return await _receive_upload(place, asker, slug, request, target=target_id, key=key)


@upload_routes.get("/attacks", "One's team's attacks", *READ_ERRORS, lists="Entries")
def list_attacks(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> tuple[EntryView, ...]:
    """The newest first."""
    return entries.list_team_entries(place, asker, slug, kind="attack")


@upload_routes.get("/attacks/{entry_id}", "One attack", 401, 404)
def get_attack(
    slug: Slug,
    entry_id: EntryId,
    place: CurrentContext,
    asker: CurrentViewer,
    faults_from: FaultsFrom = 0,
) -> EntryView:
    """Of one's own team; `found` tells what the contest's feedback allows."""
    return _get_entry(place, asker, slug, entry_id, "attack", faults_from)


def _get_entry(
    context: AppContext, viewer: Viewer, slug: str, entry_id: str, kind: EntryKind, faults_from: int
) -> EntryView:
    faults = slice(faults_from, faults_from + VIOLATIONS_PER_PAGE)
    return entries.get_entry_view(context, viewer, slug, entry_id, kind=kind, faults=faults)


async def _receive_upload(
    context: AppContext,
    viewer: Viewer,
    slug: str,
    request: Request,
    *,
    target: str | None = None,
    key: str | None = None,
) -> EntryView:
    """Rights and quotas first, then the body, then the upload is taken."""
    most_files = 1 if target is None else MOST_GUESS_FILES
    most = await run_in_threadpool(
        allowed_upload_bytes, context, viewer, slug, target=target, key=key
    )
    async with read_upload_form(context, request, most_bytes=most, most_files=most_files) as form:
        if not form.files:
            raise UnprocessableContent(NO_FILE)
        label, files = form.fields.get("label", ""), form.files
        if target is None:
            submit_upload = partial(submit_release, context, viewer, slug, files[0])
        else:
            submit_upload = partial(submit_attack, context, viewer, slug, target, files)
        return await run_in_upload_thread(submit_upload, label=label, key=key)
