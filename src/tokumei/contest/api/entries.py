"""Routes about releases, targets and attacks."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from tokumei.contest.api.answers import Entries, Targets
from tokumei.contest.api.asking import LOOK, Asker, EntryId, FaultsFrom, Here, Key, Slug, form
from tokumei.contest.api.contests import NO_FILE
from tokumei.contest.api.forms import Form, read_form
from tokumei.contest.api.routes import Routes
from tokumei.contest.desk import entries
from tokumei.contest.desk.entry_rows import Kind
from tokumei.contest.desk.entry_views import EntryView, TargetView
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.targets import public_file, target_of, targets
from tokumei.contest.desk.uploads import attack, may_upload, submit
from tokumei.contest.desk.viewer import Viewer
from tokumei.http.pool import in_upload_thread
from tokumei.http.refusals import Wrong

routes = Routes(prefix="/contests/{slug}", tags=["uploads"])
MOST_GUESS_FILES = 20
FAULTS_AT_ONCE = 1000
LABEL = {"label": {"type": "string", "maxLength": 100}}
REFUSED = (401, 403, 404, 408, 409, 413, 415, 422, 429, 507)


@routes.post("/submissions", "Upload a release", *REFUSED, status=201, openapi_extra=form(LABEL))
async def send_release(
    slug: Slug, place: Here, asker: Asker, request: Request, key: Key = None
) -> EntryView:
    """A(T) as csv, csv.gz or zip. 201 also if it breaks rules: then `state` is `rejected`.

    The deadline holds for the moment at which the request has arrived completely.
    """

    def take(form: Form) -> EntryView:
        label = form.fields.get("label", "")
        return submit(place, asker, slug, form.files[0], label=label, key=key)

    return await _upload(place, asker, slug, request, take, key=key)


@routes.get("/submissions", "One's team's releases", *LOOK)
def list_releases(slug: Slug, place: Here, asker: Asker) -> Entries:
    """The newest first."""
    return Entries(entries.my_entries(place, asker, slug, kind="release"))


@routes.get("/submissions/{entry_id}", "One release, with faults, steps and scores", 401, 404)
def one_release(
    slug: Slug, entry_id: EntryId, place: Here, asker: Asker, faults_from: FaultsFrom = 0
) -> EntryView:
    """Of one's own team; at most 1,000 of its `fault_total` faults at a time."""
    return _entry(place, asker, slug, entry_id, "release", faults_from)


@routes.post(
    "/submissions/{entry_id}/publish", "Choose a release to be ranked and attacked", *LOOK, 409, 429
)
def publish(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> EntryView:
    """While the anonymize phase lasts."""
    return entries.publish(place, asker, slug, entry_id)


@routes.delete("/submissions/{entry_id}/publish", "Take a choice back", *LOOK, 409)
def unpublish(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> EntryView:
    """While the anonymize phase lasts."""
    return entries.unpublish(place, asker, slug, entry_id)


@routes.post("/submissions/{entry_id}/cancel", "Take back an upload that waits", *LOOK, 409)
def cancel(slug: Slug, entry_id: EntryId, place: Here, asker: Asker) -> EntryView:
    """A release or an attack; costs no quota."""
    return entries.cancel(place, asker, slug, entry_id)


@routes.get("/targets", "Published releases (members of teams)", *LOOK)
def list_targets(slug: Slug, place: Here, asker: Asker) -> Targets:
    """Empty before the first attack phase."""
    return Targets(targets(place, asker, slug))


@routes.get("/targets/{target_id}", "A published release", *LOOK)
def one_target(slug: Slug, target_id: EntryId, place: Here, asker: Asker) -> TargetView:
    """With attempts left."""
    return target_of(place, asker, slug, target_id)


@routes.get("/targets/{target_id}/public", "S of a published release", *LOOK, sends="text/csv")
def target_file(slug: Slug, target_id: EntryId, place: Here, asker: Asker) -> FileResponse:
    """Rows sorted as text."""
    found = public_file(place, asker, slug, target_id)
    return FileResponse(found.path, filename=found.name, media_type="text/csv")


@routes.post(
    "/targets/{target_id}/attacks",
    "Upload guesses on a target",
    *REFUSED,
    status=201,
    openapi_extra=form(LABEL, several=True),
)
async def send_attack(
    slug: Slug, target_id: EntryId, place: Here, asker: Asker, request: Request, key: Key = None
) -> EntryView:
    """One file or zip, or all guess files by their names."""

    def take(form: Form) -> EntryView:
        label = form.fields.get("label", "")
        return attack(place, asker, slug, target_id, form.files, label=label, key=key)

    return await _upload(place, asker, slug, request, take, target=target_id, key=key)


@routes.get("/attacks", "One's team's attacks", *LOOK)
def list_attacks(slug: Slug, place: Here, asker: Asker) -> Entries:
    """The newest first."""
    return Entries(entries.my_entries(place, asker, slug, kind="attack"))


@routes.get("/attacks/{entry_id}", "One attack", 401, 404)
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
    take: Callable[[Form], EntryView],
    *,
    target: str | None = None,
    key: str | None = None,
) -> EntryView:
    """Rights and quotas first, then the body, then the upload is taken."""
    most_files = 1 if target is None else MOST_GUESS_FILES
    ticket = await run_in_threadpool(may_upload, place, asker, slug, target=target, key=key)
    most = ticket.most_bytes
    async with read_form(place, request, most_bytes=most, most_files=most_files) as form:
        if not form.files:
            raise Wrong(NO_FILE)
        return await in_upload_thread(take, form)
