"""The first page: uploads, samples, recent projects, contest folders.

A dropped file is streamed to the disk; whatever is wrong with it leaves nothing behind. Samples are
made-up data, written by the command `tokumei sample` in a process of its own.
"""

from __future__ import annotations

import asyncio
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tokumei.apps.http.errors import (
    InternalError,
    NotFound,
    RequestTimeout,
    UnprocessableContent,
    content_too_large_error,
    request_timeout_error,
)
from tokumei.apps.studio.store.contest_source import read_contest_source
from tokumei.apps.studio.store.home import DATA_FILE_SUFFIXES, clean_data_name
from tokumei.apps.studio.store.portable_project import (
    PORTABLE_SUFFIX,
    pack_project,
    unpack_project,
)
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import STUDIO_STEPS
from tokumei.apps.studio.web.page_frame import JOB_LABELS, STEP_TITLES
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    StudioRequest,
    redirect,
    render_page,
)
from tokumei.core.messages import Message
from tokumei.core.python_processes import child_environment, python_command
from tokumei.core.releases_folder import to_file_name
from tokumei.files.temporary_files import open_secret_file

MAX_UPLOAD_BYTES = 4 << 30
SILENCE_SECONDS = 60.0
FILE_TIMEOUT = Message("the file did not arrive within {seconds:g} seconds")
SAMPLE_SECONDS = 60
MAX_PROJECT_NAME = 200
router = APIRouter()


@dataclass(frozen=True)
class SampleFile:
    """One sample: its file, its words, and the arguments of `tokumei sample`."""

    file: str
    title: Message
    about: Message
    arguments: tuple[str, ...]


SAMPLES = {
    "customers": SampleFile(
        "customers.csv",
        Message("A customer list"),
        Message("400 people: names, telephone numbers, ages, a title line"),
        ("table", "--messy", "en", "--rows", "400", "--seed", "1"),
    ),
    "customers-ja": SampleFile(
        "顧客台帳.csv",
        Message("A customer list in Japanese"),
        Message("400 people: names, Japanese eras, postal codes, a total line"),
        ("table", "--messy", "ja", "--rows", "400", "--seed", "1"),
    ),
    "households": SampleFile(
        "households.csv",
        Message("Household spending"),
        Message("3,000 households: 13 attributes, 12 amounts"),
        ("table", "--rows", "3000", "--seed", "1"),
    ),
    "purchases": SampleFile(
        "purchases.csv",
        Message("A purchase history"),
        Message("200 customers, 4,000 purchases"),
        ("history", "--format", "table", "--rows", "4000", "--customers", "200", "--seed", "1"),
    ),
}


@router.get("/enter")
def enter_studio(request: Request, token: str = "") -> Response:
    """The token for a cookie."""
    response: Response = request.app.state.access.enter(token)
    return response


@router.get("/")
def show_home(visit: CurrentStudioRequest) -> Response:
    """All there is to begin with."""
    return render_page(
        visit,
        "home.html",
        title=Message("Studio"),
        recent=[
            (project, state, STEP_TITLES[state.step], _failed_job(visit, project))
            for project, state in visit.home.list_recent_projects()
        ],
        job_words=JOB_LABELS,
        endings=",".join([*DATA_FILE_SUFFIXES, PORTABLE_SUFFIX]),
        files=visit.home.list_data_files(),
        folder=visit.home.folder,
        samples=SAMPLES,
        most=MAX_UPLOAD_BYTES,
    )


def _failed_job(visit: StudioRequest, project: Project) -> str | None:
    """The job that failed and was not done since."""
    return next((name for name, job in visit.jobs.of(project).items() if job.failed), None)


@router.post("/pick")
def start_from_home_file(visit: CurrentStudioRequest, form: FormFields) -> Response:
    """Begin with a file of the home's folder."""
    file = visit.home.find_data_file(str(form.get("file", "")))
    return _open_new_project(visit, visit.home.begin(file.name, file))


@router.post("/sample")
def start_from_sample(visit: CurrentStudioRequest, form: FormFields) -> Response:
    """Begin with made-up data."""
    name = str(form.get("sample", ""))
    if name not in SAMPLES:
        raise NotFound
    upload_path = visit.home.arriving()
    write_sample(name, upload_path)
    project = visit.home.begin(SAMPLES[name].file, upload_path, keep=False)
    return _open_new_project(visit, project)


def write_sample(name: str, path: Path) -> None:
    """Write a sample's file."""
    csv_path = path.with_name(f"{path.name}.csv")
    command = python_command("tokumei", "sample", *SAMPLES[name].arguments)
    completed = subprocess.run(
        [*command, "--out", str(csv_path)],
        capture_output=True,
        timeout=SAMPLE_SECONDS,
        env=child_environment(),
        check=False,
    )
    if completed.returncode:
        raise InternalError
    csv_path.rename(path)


@router.post("/contest")
def start_from_contest(visit: CurrentStudioRequest, form: FormFields) -> Response:
    """Begin with the data of a contest's folder."""
    folder = str(form.get("folder", "")).strip()
    if not folder:
        raise UnprocessableContent("name the folder of the contest")
    source = read_contest_source(folder)
    project = visit.home.begin(
        source.data.name, source.data, kind=source.kind, contest=source.folder
    )
    return _open_new_project(visit, project)


@router.post("/p/{id}/remove")
def remove_project(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Remove a project with everything in it."""
    for job_name in visit.jobs.of(project):
        visit.jobs.cancel(project, job_name)
    visit.home.remove(project.id)
    return redirect(visit, "")


@router.post("/p/{id}/rename")
def rename_project(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """Give a project another name; its file keeps its own."""
    name = " ".join(str(form.get("name", "")).split())
    if not name:
        raise UnprocessableContent("give the project a name")
    project.change(name=name[:MAX_PROJECT_NAME])
    return redirect(visit, "")


@router.post("/p/{id}/undo")
def undo_decision(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """Take the last decision back, and look at the file as it was decided before."""
    before = project.state()
    after = project.undo()
    if after.inputs("look") != before.inputs("look"):
        visit.start(project, "look")
    back = str(form.get("back"))
    return redirect(visit, f"p/{project.id}/{back if back in STUDIO_STEPS else after.step}")


@router.get("/p/{id}/portable")
def send_portable_project(project: CurrentProject) -> Response:
    """The project as one file: decisions, source, hierarchies, and the recipe of the choice."""
    state = project.state()
    content = pack_project(project, state)
    name = f"{to_file_name(state.name.partition('.')[0])}{PORTABLE_SUFFIX}"
    return Response(
        content,
        media_type="application/zip",
        headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"},
    )


@router.get("/p/{id}")
def resume_project(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Where the project was left."""
    return redirect(visit, f"p/{project.id}/{project.state().step}")


@router.post("/upload")
async def start_from_upload(
    request: Request, visit: CurrentStudioRequest, name: str = ""
) -> Response:
    """Begin a project with the body of this request as its file, or with a project file."""
    portable = name.lower().endswith(PORTABLE_SUFFIX)
    if not portable:
        clean_data_name(name)
    content_length = request.headers.get("content-length", "")
    if content_length.isdigit() and int(content_length) > MAX_UPLOAD_BYTES:
        raise content_too_large_error(MAX_UPLOAD_BYTES)
    upload_path = visit.home.arriving()
    try:
        await _receive_body(request, upload_path)
        if portable:
            project = await run_in_threadpool(unpack_project, visit.home, upload_path)
        else:
            project = await run_in_threadpool(visit.home.begin, name, upload_path, keep=False)
        return await run_in_threadpool(_open_new_project, visit, project)
    finally:
        await run_in_threadpool(upload_path.unlink, True)


async def _receive_body(request: Request, path: Path) -> None:
    size, parts = 0, request.stream().__aiter__()
    with open_secret_file(path) as file:
        while True:
            try:
                part = await asyncio.wait_for(anext(parts), SILENCE_SECONDS)
            except StopAsyncIteration:
                break
            except TimeoutError:
                raise request_timeout_error(FILE_TIMEOUT, SILENCE_SECONDS) from None
            except ClientDisconnect:
                raise RequestTimeout("the file did not arrive") from None
            size += len(part)
            if size > MAX_UPLOAD_BYTES:
                raise content_too_large_error(MAX_UPLOAD_BYTES)
            await run_in_threadpool(file.write, part)
    if not size:
        raise UnprocessableContent("this file is empty")


def _open_new_project(visit: StudioRequest, project: Project) -> Response:
    """Profile the file of a new project, and go to its first page."""
    visit.start(project, "look")
    return redirect(visit, f"p/{project.id}/look")
