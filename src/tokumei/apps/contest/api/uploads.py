"""Routes about what teams upload: releases, targets and attacks."""

from __future__ import annotations

from functools import partial

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from tokumei.apps.contest.api.multipart import NO_FILE, read_upload_form
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
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.entry_view_builder import EntryKind
from tokumei.apps.contest.services.entry_views import EntryView, TargetView
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
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.http.executor import run_in_upload_thread

routes = ViewRouter(prefix="/contests/{slug}", tags=["uploads"])
MOST_GUESS_FILES = 20
VIOLATIONS_PER_PAGE = 1000
LABEL_FIELD = {"label": {"type": "string", "maxLength": 100}}
UPLOAD_ERRORS = (401, 403, 404, 408, 409, 413, 415, 422, 429, 507)


@routes.post(
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


@routes.get("/submissions", "One's team's releases", *READ_ERRORS, lists="Entries")
def list_releases(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> tuple[EntryView, ...]:
    """The newest first."""
    return entries.list_team_entries(place, asker, slug, kind="release")


@routes.get("/submissions/{entry_id}", "One release, with faults, steps and scores", 401, 404)
def get_release(
    slug: Slug,
    entry_id: EntryId,
    place: CurrentContext,
    asker: CurrentViewer,
    faults_from: FaultsFrom = 0,
) -> EntryView:
    """Of one's own team; at most 1,000 of its `fault_total` faults at a time."""
    return _get_entry(place, asker, slug, entry_id, "release", faults_from)


@routes.post(
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


@routes.delete("/submissions/{entry_id}/publish", "Take a choice back", *READ_ERRORS, 409)
def unpublish_release(
    slug: Slug, entry_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> EntryView:
    """While the anonymize phase lasts."""
    return entries.unpublish_release(place, asker, slug, entry_id)


@routes.post("/submissions/{entry_id}/cancel", "Take back an upload that waits", *READ_ERRORS, 409)
def cancel_entry(
    slug: Slug, entry_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> EntryView:
    """A release or an attack; costs no quota."""
    return entries.cancel_entry(place, asker, slug, entry_id)


@routes.get("/targets", "Published releases (members of teams)", *READ_ERRORS, lists="Targets")
def get_targets(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> tuple[TargetView, ...]:
    """Empty before the first attack phase."""
    return list_targets(place, asker, slug)


@routes.get("/targets/{target_id}", "A published release", *READ_ERRORS)
def get_target(
    slug: Slug, target_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> TargetView:
    """With attempts left."""
    return get_target_view(place, asker, slug, target_id)


@routes.get(
    "/targets/{target_id}/public", "S of a published release", *READ_ERRORS, sends="text/csv"
)
def download_target_file(
    slug: Slug, target_id: EntryId, place: CurrentContext, asker: CurrentViewer
) -> FileResponse:
    """Rows sorted as text."""
    download = get_public_file(place, asker, slug, target_id)
    return FileResponse(download.path, filename=download.name, media_type="text/csv")


@routes.post(
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


@routes.get("/attacks", "One's team's attacks", *READ_ERRORS, lists="Entries")
def list_attacks(slug: Slug, place: CurrentContext, asker: CurrentViewer) -> tuple[EntryView, ...]:
    """The newest first."""
    return entries.list_team_entries(place, asker, slug, kind="attack")


@routes.get("/attacks/{entry_id}", "One attack", 401, 404)
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
