"""Routes about releases, targets and attacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, Response

from tokumei.contest.api.answers import Entries, Targets
from tokumei.contest.api.asking import (
    FILE,
    Asker,
    EntryId,
    FaultsFrom,
    Here,
    Key,
    Slug,
    file_answer,
    refusals,
    shown,
)
from tokumei.contest.api.contests import NO_FILE
from tokumei.contest.api.forms import Form, read_form
from tokumei.contest.desk import entries
from tokumei.contest.desk.entry_rows import Kind
from tokumei.contest.desk.entry_views import EntryView, TargetView
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.targets import public_file, target_of, targets
from tokumei.contest.desk.uploads import attack, may_upload, submit
from tokumei.contest.desk.viewer import Viewer
from tokumei.http.refusals import Wrong
from tokumei.http.upload_threads import in_upload_thread

router = APIRouter(prefix="/contests/{slug}", tags=["uploads"])
MOST_GUESS_FILES = 20
FAULTS_AT_ONCE = 1000
UPLOAD_REFUSALS = refusals(401, 403, 404, 408, 409, 413, 415, 422, 429, 507)


def _form(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    properties = {name: schema, "label": {"type": "string", "maxLength": 100}}
    schema = {"type": "object", "properties": properties, "required": [name]}
    return {
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}
    }


@router.post(
    "/submissions",
    response_model=EntryView,
    status_code=201,
    responses=UPLOAD_REFUSALS,
    openapi_extra=_form("file", FILE),
    summary="Upload a release",
)
async def send_release(
    slug: Slug, place: Here, asker: Asker, request: Request, key: Key = None
) -> Response:
    """A(T) as csv, csv.gz or zip. 201 also if it breaks rules: then `state` is `rejected`.

    The deadline holds for the moment at which the request has arrived completely.
    """

    def take(form: Form) -> EntryView:
        label = form.fields.get("label", "")
        return submit(place, asker, slug, form.files[0], label=label, key=key)

    return await _upload(place, asker, slug, request, take, key=key)


@router.get(
    "/submissions",
    response_model=Entries,
    responses=refusals(401, 403, 404),
    summary="One's team's releases",
)
def list_releases(slug: Slug, place: Here, asker: Asker) -> Response:
    """The newest first."""
    return shown(Entries(entries.my_entries(place, asker, slug, kind="release")))


@router.get(
    "/submissions/{entry_id}",
    response_model=EntryView,
    responses=refusals(401, 404),
    summary="One release, with faults, steps and scores",
)
def one_release(
    slug: Slug, entry_id: EntryId, place: Here, asker: Asker, faults_from: FaultsFrom = 0
) -> Response:
    """Of one's own team; at most 1,000 of its `fault_total` faults at a time."""
    return _entry(place, asker, slug, entry_id, "release", faults_from)


@router.post(
    "/submissions/{entry_id}/publish",
    response_model=EntryView,
    responses=refusals(401, 403, 404, 409, 429),
    summary="Choose a release to be ranked and attacked",
)
def publish(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> Response:
    """While the anonymize phase lasts."""
    return shown(entries.publish(place, asker, slug, entry_id))


@router.delete(
    "/submissions/{entry_id}/publish",
    response_model=EntryView,
    responses=refusals(401, 403, 404, 409),
    summary="Take a choice back",
)
def unpublish(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> Response:
    """While the anonymize phase lasts."""
    return shown(entries.unpublish(place, asker, slug, entry_id))


@router.post(
    "/submissions/{entry_id}/cancel",
    response_model=EntryView,
    responses=refusals(401, 403, 404, 409),
    summary="Take back an upload that waits",
)
def cancel(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> Response:
    """A release or an attack; costs no quota."""
    return shown(entries.cancel(place, asker, slug, entry_id))


@router.get(
    "/targets",
    response_model=Targets,
    responses=refusals(401, 403, 404),
    summary="Published releases (members of teams)",
)
def list_targets(slug: Slug, place: Here, asker: Asker) -> Response:
    """Empty before the first attack phase."""
    return shown(Targets(targets(place, asker, slug)))


@router.get(
    "/targets/{target_id}",
    response_model=TargetView,
    responses=refusals(401, 403, 404),
    summary="A published release",
)
def one_target(slug: Slug, target_id: EntryId, place: Here, asker: Asker) -> Response:
    """With attempts left."""
    return shown(target_of(place, asker, slug, target_id))


@router.get(
    "/targets/{target_id}/public",
    responses=refusals(401, 403, 404) | file_answer("text/csv"),
    response_class=FileResponse,
    summary="S of a published release",
)
def target_file(slug: Slug, target_id: EntryId, place: Here, asker: Asker) -> Response:
    """Rows sorted as text."""
    found = public_file(place, asker, slug, target_id)
    return FileResponse(found.path, filename=found.name, media_type="text/csv")


@router.post(
    "/targets/{target_id}/attacks",
    response_model=EntryView,
    status_code=201,
    responses=UPLOAD_REFUSALS,
    openapi_extra=_form("file", {"type": "array", "items": FILE}),
    summary="Upload guesses on a target",
)
async def send_attack(
    slug: Slug, target_id: EntryId, place: Here, asker: Asker, request: Request, key: Key = None
) -> Response:
    """One file or zip, or all guess files by their names."""

    def take(form: Form) -> EntryView:
        label = form.fields.get("label", "")
        return attack(place, asker, slug, target_id, form.files, label=label, key=key)

    return await _upload(place, asker, slug, request, take, target=target_id, key=key)


@router.get(
    "/attacks",
    response_model=Entries,
    responses=refusals(401, 403, 404),
    summary="One's team's attacks",
)
def list_attacks(slug: Slug, place: Here, asker: Asker) -> Response:
    """The newest first."""
    return shown(Entries(entries.my_entries(place, asker, slug, kind="attack")))


@router.get(
    "/attacks/{entry_id}",
    response_model=EntryView,
    responses=refusals(401, 404),
    summary="One attack",
)
def one_attack(
    slug: Slug, entry_id: EntryId, place: Here, asker: Asker, faults_from: FaultsFrom = 0
) -> Response:
    """Of one's own team; `found` tells what the contest's feedback allows."""
    return _entry(place, asker, slug, entry_id, "attack", faults_from)


def _entry(
    place: Place, asker: Viewer, slug: str, entry_id: str, kind: Kind, faults_from: int
) -> Response:
    faults = slice(faults_from, faults_from + FAULTS_AT_ONCE)
    return shown(entries.entry_of(place, asker, slug, entry_id, kind=kind, faults=faults))


async def _upload(
    place: Place,
    asker: Viewer,
    slug: str,
    request: Request,
    take: Callable[[Form], EntryView],
    *,
    target: str | None = None,
    key: str | None = None,
) -> Response:
    """Rights and quotas first, then the body, then the upload is taken."""
    most_files = 1 if target is None else MOST_GUESS_FILES
    ticket = await run_in_threadpool(may_upload, place, asker, slug, target=target, key=key)
    most = ticket.most_bytes
    async with read_form(place, request, most_bytes=most, most_files=most_files) as form:
        if not form.files:
            raise Wrong(NO_FILE)
        return shown(await in_upload_thread(take, form), 201)
