"""All contests, and making one."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from tokumei.contest.desk.contests import contests, create_contest
from tokumei.contest.desk.views import ContestView
from tokumei.contest.web.forms import Form, read_form
from tokumei.contest.web.render import go, page, refused
from tokumei.contest.web.visit import Here, Note, Visit
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Wrong

router = APIRouter()
MOST_BYTES = 1_000_000_000
MOST_FILES = 50


async def _sent(request: Request, visit: Here) -> Form:
    def most() -> int:
        visit.viewer.require_organiser()
        return MOST_BYTES

    return await read_form(request, visit, most=most, files=MOST_FILES)


@router.get("/")
def show_contests(visit: Here) -> Response:
    """All contests."""
    title = Text("Useful data, unidentified people", "使えるデータを、誰のものか分からない形で")
    found = contests(visit.place, visit.viewer)
    return page(visit, "contests.html", title=title, contests=found)


@router.get("/contests/new")
def show_new(visit: Here) -> Response:
    """The form to make a contest."""
    visit.viewer.require_organiser()
    return _new_page(visit, None)


@router.post("/contests/new")
def make_contest(visit: Here, form: Annotated[Form, Depends(_sent)]) -> Response:
    """A contest from a zip, or from contest.yaml and its data files."""
    try:
        made = _make(visit, form.files("files"))
    except TokumeiError as refusal:
        return refused(visit, refusal) if visit.by_script else _new_page(visit, refusal)
    return go(
        visit,
        f"/c/{made.slug}",
        Note(Text("The contest is open.", "コンテストを開きました。")),
    )


def _new_page(visit: Visit, refusal: TokumeiError | None) -> Response:
    title = Text("New contest", "コンテストを作る")
    return page(visit, "new_contest.html", title=title, refusal=refusal, most=MOST_BYTES)


def _make(visit: Visit, files: list[UploadFile]) -> ContestView:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for file in files:
            with (folder / _file_name(file)).open("wb") as copy:
                shutil.copyfileobj(file.file, copy)
        return create_contest(visit.place, visit.viewer, _source(folder))


def _source(folder: Path) -> Path:
    """The folder itself, or the zip that is alone in it."""
    found = list(folder.iterdir())
    return found[0] if len(found) == 1 and found[0].suffix.lower() == ".zip" else folder


def _file_name(file: UploadFile) -> str:
    """A name without any folder, as contest.yaml names files."""
    name = (file.filename or "").replace("\\", "/").rpartition("/")[2]
    if not name or name.startswith(".") or not name.isprintable() or len(name) > 100:
        raise Wrong(Text("a file has no usable name", "ファイル名が使えません"))
    return name
