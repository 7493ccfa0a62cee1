"""The first page: a file to drop or pick, samples, recent projects, a contest's folder.

A dropped file is streamed to the disk; whatever is wrong with it leaves nothing behind. Samples are
made-up data, written by the command `tokumei sample` in a process of its own.
"""

from __future__ import annotations

import asyncio
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tokumei.core.processes import python_command, python_environment
from tokumei.core.text import Text
from tokumei.files.leftovers import secret_file
from tokumei.http.refusals import Broken, NotFound, TooSlow, Wrong, too_large, too_slow
from tokumei.studio.store.contests import contest_source
from tokumei.studio.store.home import data_name
from tokumei.studio.web.frame import TITLES
from tokumei.studio.web.render import At, Here, Posted, Visit, go, page

MOST_BYTES = 4 << 30
SILENCE_SECONDS = 60.0
FILE = Text("the file", "ファイル")
SAMPLE_SECONDS = 60
router = APIRouter()


@dataclass(frozen=True)
class Sample:
    """One sample: its file, its words, and what `tokumei sample` is asked for."""

    file: str
    title: Text
    about: Text
    asked: tuple[str, ...]


SAMPLES = {
    "customers": Sample(
        "customers.csv",
        Text("A customer list", "顧客リスト (英語)"),
        Text(
            "400 people: names, telephone numbers, ages, a title line",
            "400 人。氏名、電話番号、年齢、表題の行",
        ),
        ("table", "--messy", "en", "--rows", "400", "--seed", "1"),
    ),
    "customers-ja": Sample(
        "顧客台帳.csv",
        Text("A customer list in Japanese", "顧客台帳"),
        Text(
            "400 people: names, Japanese eras, postal codes, a total line",
            "400 人。氏名、和暦、郵便番号、合計の行",
        ),
        ("table", "--messy", "ja", "--rows", "400", "--seed", "1"),
    ),
    "households": Sample(
        "households.csv",
        Text("Household spending", "家計調査"),
        Text("3,000 households: 13 attributes, 12 amounts", "3,000 世帯。属性 13、支出 12"),
        ("table", "--rows", "3000", "--seed", "1"),
    ),
    "purchases": Sample(
        "purchases.csv",
        Text("A purchase history", "購買履歴"),
        Text("200 customers, 4,000 purchases", "顧客 200 人、購買 4,000 件"),
        ("history", "--format", "table", "--rows", "4000", "--customers", "200", "--seed", "1"),
    ),
}


@router.get("/enter")
def enter(request: Request, token: str = "") -> Response:
    """The token for a cookie."""
    response: Response = request.app.state.access.enter(token)
    return response


@router.get("/")
def home(visit: Here) -> Response:
    """All there is to begin with."""
    return page(
        visit,
        "home.html",
        title=Text("Studio", "スタジオ"),
        recent=[(project, state, TITLES[state.step]) for project, state in visit.home.recent()],
        files=visit.home.files(),
        folder=visit.home.folder,
        samples=SAMPLES,
        most=MOST_BYTES,
    )


@router.post("/pick")
def pick(visit: Here, form: Posted) -> Response:
    """Begin with a file of the home's folder."""
    found = visit.home.file(str(form.get("file", "")))
    return _begun(visit, found.name, found)


@router.post("/sample")
def sample(visit: Here, form: Posted) -> Response:
    """Begin with made-up data."""
    name = str(form.get("sample", ""))
    if name not in SAMPLES:
        raise NotFound
    place = visit.home.arriving()
    write_sample(name, place)
    return _begun(visit, SAMPLES[name].file, place, keep=False)


def write_sample(name: str, place: Path) -> None:
    """Write a sample's file."""
    named = place.with_name(f"{place.name}.csv")
    command = python_command("tokumei", "sample", *SAMPLES[name].asked)
    done = subprocess.run(
        [*command, "--out", str(named)],
        capture_output=True,
        timeout=SAMPLE_SECONDS,
        env=python_environment(),
        check=False,
    )
    if done.returncode:
        raise Broken
    named.rename(place)


@router.post("/contest")
def contest(visit: Here, form: Posted) -> Response:
    """Begin with the data of a contest's folder."""
    given = str(form.get("folder", "")).strip()
    if not given:
        raise Wrong("name the folder of the contest", "コンテストのフォルダを指定してください")
    found = contest_source(given)
    return _begun(visit, found.data.name, found.data, kind=found.kind, contest=found.folder)


@router.post("/p/{id}/remove")
def remove(visit: Here, project: At) -> Response:
    """Remove a project with everything in it."""
    for what in visit.jobs.of(project):
        visit.jobs.cancel(project, what)
    visit.home.remove(project.id)
    return go(visit, "")


@router.get("/p/{id}")
def resume(visit: Here, project: At) -> Response:
    """Where the project was left."""
    return go(visit, f"p/{project.id}/{project.state().step}")


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
        return await run_in_threadpool(_begun, visit, name, place, keep=False)
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


def _begun(visit: Visit, name: str, place: Path, **more: Any) -> Response:
    """A new project, looked at."""
    project = visit.home.begin(name, place, **more)
    visit.start(project, "look")
    return go(visit, f"p/{project.id}/look")
