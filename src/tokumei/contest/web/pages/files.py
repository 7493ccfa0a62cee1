"""Files beside a contest's texts: sent to everybody, added and removed by organisers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.attachments import (
    MOST_BYTES,
    attach,
    attachment,
    attachments,
    detach,
)
from tokumei.contest.web.pages.console import console_page
from tokumei.contest.web.render import go, send_file
from tokumei.contest.web.visit import Form, Here, Note, Visit, read_form
from tokumei.core.errors import TokumeiError
from tokumei.http.refusals import Wrong

router = APIRouter()


async def _sent(request: Request, visit: Here) -> Form:
    def most() -> int:
        visit.viewer.require_organiser()
        return MOST_BYTES

    return await read_form(request, visit, most=most, files=1)


@router.get("/c/{slug}/files/{name}")
def send_attachment(visit: Here, slug: str, name: str) -> Response:
    """A file to be saved."""
    return send_file(visit.ask(attachment, slug, name))


@router.get("/c/{slug}/console/files")
def show_files(visit: Here, slug: str) -> Response:
    """What is attached."""
    return _page(visit, slug)


@router.post("/c/{slug}/console/files")
def act_on_files(visit: Here, slug: str, form: Annotated[Form, Depends(_sent)]) -> Response:
    """Attach a file, or remove one."""
    visit.viewer.require_organiser()
    try:
        note = form.chosen({"attach": _attach, "remove": _remove})(visit, slug, form)
    except TokumeiError as refusal:
        return _page(visit, slug, refusal)
    return go(visit, f"/c/{slug}/console/files", note)


def _attach(visit: Visit, slug: str, form: Form) -> Note:
    files = form.files("file")
    if not files:
        raise Wrong("choose a file", "ファイルを選んでください")
    content = files[0].file.read(MOST_BYTES + 1)
    made = visit.ask(attach, slug, files[0].filename or "", content)
    return Note(
        f"Attached as {made.name}; link to it with the address below.",
        f"{made.name} を添付しました。下のアドレスで文章からリンクできます。",
    )


def _remove(visit: Visit, slug: str, form: Form) -> Note:
    visit.ask(detach, slug, form.number("attachment"))
    return Note("The file is no longer given out.", "ファイルの配布を終えました。")


def _page(visit: Visit, slug: str, refusal: TokumeiError | None = None) -> Response:
    visit.viewer.require_organiser()
    found = visit.ask(attachments, slug)
    return console_page(visit, slug, "files", refusal=refusal, attachments=found, most=MOST_BYTES)
