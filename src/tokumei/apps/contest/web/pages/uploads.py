"""Pages for submitting a release, and for attacking published ones."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from tokumei.apps.contest.services.entries import list_team_entries
from tokumei.apps.contest.services.entry_views import TargetView
from tokumei.apps.contest.services.published_releases import (
    get_public_file,
    get_target_view,
    list_targets,
)
from tokumei.apps.contest.services.teams import get_team_view
from tokumei.apps.contest.services.upload_intake import ReceivedFile, receive_file
from tokumei.apps.contest.services.uploads import (
    allowed_upload_bytes,
    submit_attack,
    submit_release,
)
from tokumei.apps.contest.web.rendering import (
    file_download_response,
    find_own_team,
    redirect,
    render_contest_page,
    script_error_response,
)
from tokumei.apps.contest.web.request_context import (
    CurrentRequest,
    PostedForm,
    RequestContext,
    read_posted_form,
)
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.http.executor import run_in_upload_thread
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

router = APIRouter()
MOST_GUESS_FILES = 20


async def _read_release_form(request: Request, visit: CurrentRequest, slug: str) -> PostedForm:
    return await read_posted_form(
        request, visit, most=lambda: visit.ask(allowed_upload_bytes, slug)
    )


async def _read_guess_form(
    request: Request, visit: CurrentRequest, slug: str, id: str
) -> PostedForm:
    def most() -> int:
        return visit.ask(allowed_upload_bytes, slug, target=id)

    return await read_posted_form(request, visit, most=most, files=MOST_GUESS_FILES)


@router.get("/c/{slug}/submit")
def show_submit(visit: CurrentRequest, slug: str) -> Response:
    """The form to submit."""
    visit.ask(get_team_view, slug)
    return _submit_page(visit, slug)


@router.post("/c/{slug}/submit")
async def do_submit(
    visit: CurrentRequest, slug: str, form: Annotated[PostedForm, Depends(_read_release_form)]
) -> Response:
    """Take a release and go to its page."""
    return await run_in_upload_thread(_submit_release, visit, slug, form)


def _submit_release(visit: RequestContext, slug: str, form: PostedForm) -> Response:
    try:
        files = form.files("file")
        if not files:
            raise _no_file_error()
        received = _receive_upload(visit, files[0], visit.ask(allowed_upload_bytes, slug))
        entry = visit.ask(
            submit_release, slug, received, label=form["label"], key=form["key"] or None
        )
    except TokumeiError as refusal:
        if visit.is_script_request:
            return script_error_response(visit, refusal)
        visit.refusal, visit.typed = refusal, form
        return _submit_page(visit, slug)
    return redirect(visit, f"/c/{slug}/entries/{entry.id}")


def _receive_upload(
    visit: RequestContext, file: UploadFile, most: int, name: str | None = None
) -> ReceivedFile:
    """A sent file on its way to the inbox."""
    return receive_file(visit.place, file.file, name or file.filename or "", most_bytes=most)


def _no_file_error() -> UnprocessableContent:
    return UnprocessableContent("choose a file first")


def _submit_page(visit: RequestContext, slug: str) -> Response:
    return render_contest_page(
        visit,
        slug,
        "submit",
        title=Message("Submit a release"),
        label=visit.tried("label"),
        key=secrets.token_urlsafe(18),
    )


@router.get("/c/{slug}/targets")
def show_targets(visit: CurrentRequest, slug: str) -> Response:
    """All published releases."""
    target_views = visit.ask(list_targets, slug)
    title = Message("Targets")
    return render_contest_page(visit, slug, "targets", title=title, targets=target_views)


@router.get("/c/{slug}/targets/{id}")
def show_target(visit: CurrentRequest, slug: str, id: str) -> Response:
    """One of them, with the form to attack it."""
    return _target_page(visit, slug, visit.ask(get_target_view, slug, id))


@router.get("/c/{slug}/targets/{id}/public")
def send_target(visit: CurrentRequest, slug: str, id: str) -> Response:
    """Its public file."""
    visit.ask(get_target_view, slug, id)
    return file_download_response(visit.ask(get_public_file, slug, id))


@router.post("/c/{slug}/targets/{id}")
async def do_attack(
    visit: CurrentRequest,
    slug: str,
    id: str,
    form: Annotated[PostedForm, Depends(_read_guess_form)],
) -> Response:
    """Take an attack and go to its page."""
    return await run_in_upload_thread(_submit_attack, visit, slug, id, form)


def _submit_attack(visit: RequestContext, slug: str, id: str, form: PostedForm) -> Response:
    target = visit.ask(get_target_view, slug, id)
    try:
        received = _receive_guesses(visit, slug, target, form)
        entry = visit.ask(
            submit_attack, slug, id, received, label=form["label"], key=form["key"] or None
        )
    except TokumeiError as refusal:
        if visit.is_script_request:
            return script_error_response(visit, refusal)
        visit.refusal, visit.typed = refusal, form
        return _target_page(visit, slug, target)
    return redirect(visit, f"/c/{slug}/attacks/{entry.id}")


def _receive_guesses(
    visit: RequestContext, slug: str, target: TargetView, form: PostedForm
) -> list[ReceivedFile]:
    """The zip if there is one, else every guess file under the name it must have."""
    most = visit.ask(allowed_upload_bytes, slug, target=target.id)
    if zip_files := form.files("file"):
        return [_receive_upload(visit, zip_files[0], most)]
    received: list[ReceivedFile] = []
    for name, file in _guess_files_by_name(target, form):
        received.append(_receive_upload(visit, file, most, name))
        most -= received[-1].size
    return received


def _guess_files_by_name(target: TargetView, form: PostedForm) -> list[tuple[str, UploadFile]]:
    named_files = [
        (name, file)
        for index, name in enumerate(target.guess_files)
        for file in form.files(f"guess-{index}")
    ]
    if not named_files:
        raise _no_file_error()
    if missing := ", ".join(name for name in target.guess_files if name not in dict(named_files)):
        raise UnprocessableContent("these files are missing: {missing}", missing=missing)
    return named_files


def _target_page(visit: RequestContext, slug: str, target: TargetView) -> Response:
    attempts = (
        visit.ask(list_team_entries, slug, kind="attack") if find_own_team(visit, slug) else ()
    )
    return render_contest_page(
        visit,
        slug,
        "targets",
        template="target.html",
        title=Message.verbatim(target.team),
        target=target,
        attempts=[entry for entry in attempts if entry.target == target.id],
        label=visit.tried("label"),
        key=secrets.token_urlsafe(18),
    )
