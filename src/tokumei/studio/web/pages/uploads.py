"""A dropped file, streamed to the disk; whatever is wrong with it leaves nothing behind."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tokumei.core.text import Text
from tokumei.files.leftovers import secret_file
from tokumei.http.refusals import TooSlow, Wrong, too_large, too_slow
from tokumei.studio.store.home import data_name
from tokumei.studio.web.forms import Here
from tokumei.studio.web.render import Visit, go

MOST_BYTES = 4 << 30
SILENCE_SECONDS = 60.0
FILE = Text("the file", "ファイル")

router = APIRouter()


@router.post("/upload")
async def upload(request: Request, visit: Here, name: str = "") -> Response:
    """Begin a project with the body of this request as its file."""
    data_name(name)
    told = request.headers.get("content-length", "")
    if told.isdigit() and int(told) > MOST_BYTES:
        raise too_large(MOST_BYTES)
    place = visit.home.arriving()
    try:
        await _received(request, place)
        return await run_in_threadpool(_begun, visit, name, place)
    finally:
        await run_in_threadpool(place.unlink, True)


async def _received(request: Request, place: Path) -> None:
    size, parts = 0, request.stream().__aiter__()
    with secret_file(place) as file:
        while True:
            try:
                part = await asyncio.wait_for(anext(parts), SILENCE_SECONDS)
            except StopAsyncIteration:
                break
            except TimeoutError:
                raise too_slow(FILE, SILENCE_SECONDS) from None
            except ClientDisconnect:
                raise TooSlow("the file did not arrive", "ファイルが届きませんでした") from None
            size += len(part)
            if size > MOST_BYTES:
                raise too_large(MOST_BYTES)
            await run_in_threadpool(file.write, part)
    if not size:
        raise Wrong("this file is empty", "ファイルが空です")


def _begun(visit: Visit, name: str, place: Path) -> Response:
    project = visit.home.begin(name, place, keep=False)
    visit.jobs.start(project, "look", lang=visit.lang)
    return go(visit, f"p/{project.id}/look")
