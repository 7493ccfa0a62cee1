"""Submitting a release."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.spooling import Received, receive_file
from tokumei.contest.desk.teams import my_team
from tokumei.contest.desk.uploads import may_upload, submit
from tokumei.contest.web.contest_page import contest_page
from tokumei.contest.web.forms import Form, read_form
from tokumei.contest.web.render import go, refused
from tokumei.contest.web.visit import Here, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.pool import in_upload_thread
from tokumei.http.refusals import Wrong

router = APIRouter()
NO_FILE = Text("choose a file first", "ファイルを選んでください")


async def _sent(request: Request, visit: Here, slug: str) -> Form:
    def most() -> int:
        return may_upload(visit.place, visit.viewer, slug).most_bytes

    return await read_form(request, visit, most=most)


@router.get("/c/{slug}/submit")
def show_submit(visit: Here, slug: str) -> Response:
    """The form to submit."""
    my_team(visit.place, visit.viewer, slug)
    return _page(visit, slug, None)


@router.post("/c/{slug}/submit")
async def do_submit(visit: Here, slug: str, form: Annotated[Form, Depends(_sent)]) -> Response:
    """Take a release and go to its page."""
    return await in_upload_thread(_submit, visit, slug, form)


def _submit(visit: Visit, slug: str, form: Form) -> Response:
    try:
        received = receive(visit, first_of(form.files("file")), _most(visit, slug))
        entry = submit(
            visit.place,
            visit.viewer,
            slug,
            received,
            label=form["label"],
            key=form["key"] or None,
        )
    except TokumeiError as refusal:
        return refused(visit, refusal) if visit.by_script else _page(visit, slug, refusal)
    return go(visit, f"/c/{slug}/entries/{entry.id}")


def receive(visit: Visit, file: UploadFile, most: int, name: str | None = None) -> Received:
    """A sent file on its way to the inbox."""
    return receive_file(visit.place, file.file, name or file.filename or "", most_bytes=most)


def first_of(files: list[UploadFile]) -> UploadFile:
    """The one file that was chosen."""
    if not files:
        raise Wrong(NO_FILE)
    return files[0]


def _most(visit: Visit, slug: str) -> int:
    return may_upload(visit.place, visit.viewer, slug).most_bytes


def _page(visit: Visit, slug: str, refusal: TokumeiError | None) -> Response:
    return contest_page(
        visit,
        slug,
        "submit.html",
        here="submit",
        title=Text("Submit a release", "匿名加工データの提出"),
        refusal=refusal,
        key=secrets.token_urlsafe(18),
    )
