"""The page Release: writes all files of the release, and says who may read each."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import FileResponse, Response

from tokumei.apps.http.errors import NotFound, UnprocessableContent
from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import release_equivalents
from tokumei.apps.studio.job_handlers.release import STALE_CANDIDATE
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.opened_encoding import encode_for_opening
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import ReleasedRecord
from tokumei.apps.studio.store.release_files import READER_LABELS
from tokumei.apps.studio.web.page_frame import render_project_page
from tokumei.apps.studio.web.pages.candidates import find_selected, start_assessment
from tokumei.apps.studio.web.pages.ledger import (
    read_ledger_check,
    start_ledger_check,
    suggest_ledger,
)
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    redirect,
)
from tokumei.apps.studio.web.verdict_figures import collect_figures
from tokumei.core.messages import Message
from tokumei.core.releases_folder import to_file_name

REPORT_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)
"""Of our own reports, opened: they are of no origin, and cannot ask for anything."""
router = APIRouter()


@router.get("/p/{id}/release")
def show_release(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Where to write, or what was written."""
    _, chosen = find_selected(project)
    if chosen is None:
        return redirect(visit, f"p/{project.id}/candidates")
    state = project.change(step="release")
    released = project.result("released")
    released = None if released is None or not Path(released["folder"]).is_dir() else released
    folder = released["folder"] if released else str(_new_release_folder(visit.home, project))
    look = project.result("look")
    of_this = (
        released is not None
        and released["candidate"] == chosen["id"]
        and released.get("inputs") == state.inputs("candidates")
    )
    written = released["assessment"] if released and of_this else None
    record = written or project.assessment(state, chosen["id"])
    if not project.is_stale(state):
        start_assessment(visit, project, chosen["id"])
        start_ledger_check(visit, project, state, chosen["id"])
    return render_project_page(
        visit,
        project,
        "release",
        title=Message("Write the release"),
        same=release_equivalents(state, look, chosen["request"], folder),
        watched=("assess", "ledger", "release", "upload"),
        candidate=chosen,
        record=record,
        figures=collect_figures([chosen], {chosen["id"]: record} if record else {}),
        folder=str(_new_release_folder(visit.home, project)),
        released=released,
        of_this=of_this,
        readers=READER_LABELS,
        kind=adapter_for(state),
        joint=read_ledger_check(project, state, chosen["id"]),
        suggested=suggest_ledger(visit, state),
        uploaded=project.result("uploaded"),
        as_opened=_rewritable_files(released),
        encoding=_source_encoding(project),
    )


def _new_release_folder(home: StudioHome, project: Project) -> Path:
    """A folder that is not there yet."""
    name = to_file_name(project.state().name.partition(".")[0])
    folders = (home.folder / "releases" / f"{name}-{n:02d}" for n in range(1, 10_000))
    return next(folder for folder in folders if not folder.exists())


@router.post("/p/{id}/release")
def start_release(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """Write the release into the folder that was chosen; not what is void, or does not fit."""
    state = project.state()
    if not state.selected:
        raise UnprocessableContent("choose a candidate first")
    if project.is_stale(state):
        raise UnprocessableContent(STALE_CANDIDATE)
    folder = Path(str(form.get("folder", "")).strip()).expanduser()
    if not folder.is_absolute():
        raise UnprocessableContent("name the folder with its whole path")
    anyway = str(form.get("anyway") or "").strip()
    _require_verdict(project, state, anyway)
    (visit.home.folder / "releases").mkdir(mode=0o700, exist_ok=True)
    visit.start(project, "release", id=state.selected[0], folder=str(folder), anyway=anyway)
    return redirect(visit, f"p/{project.id}/release")


def _require_verdict(project: Project, state: ProjectState, anyway: str) -> None:
    """Fail unless the candidate fits, or somebody says why it is released anyway."""
    record = project.assessment(state, state.selected[0])
    if record is None:
        raise UnprocessableContent(
            "this candidate was not assessed yet; wait until its verdict is there"
        )
    document = record["document"]
    if (document is None or document["verdict"] != "fits") and not anyway:
        raise UnprocessableContent(
            "{verdict} To release it anyway, say why.", verdict=Message.of_texts(record["sentence"])
        )


@router.post("/p/{id}/entry")
def start_contest_upload(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Make an upload for the contest from the release."""
    if project.state().contest is None or project.result("released") is None:
        raise NotFound
    visit.start(project, "upload")
    return redirect(visit, f"p/{project.id}/release")


@router.post("/p/{id}/open-folder")
def open_release_folder(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """Show the folder of the release in the system's file manager."""
    released = project.result("released")
    if released is None or not Path(released["folder"]).is_dir():
        raise NotFound
    if not webbrowser.open(Path(released["folder"]).as_uri()):
        raise UnprocessableContent(
            "no file manager could be opened; the folder is {folder}", folder=released["folder"]
        )
    return redirect(visit, f"p/{project.id}/release")


@router.get("/p/{id}/file/{path:path}")
def send_release_file(
    project: CurrentProject, path: str, form: Literal["excel", "source"] | None = None
) -> Response:
    """A file of the release: pages are shown, all else is saved.

    What is secret is saved under a name that says so: its public twin has the same one.
    """
    released = project.result("released")
    if released is None or path not in {release_file["path"] for release_file in released["files"]}:
        raise NotFound
    file_path = Path(released["folder"]) / path
    if not file_path.is_file():
        raise NotFound("this file is no longer there")
    if file_path.suffix == ".html":
        return FileResponse(
            file_path, media_type="text/html", headers={"content-security-policy": REPORT_POLICY}
        )
    if form is not None and path in _rewritable_files(released):
        content = encode_for_opening(file_path, form, _source_encoding(project))
        return _download(content, file_path.name)
    readers = {entry["path"]: entry["reader"] for entry in released["files"]}
    name = f"SECRET-{file_path.name}" if readers[path] == "secret" else file_path.name
    return FileResponse(file_path, filename=name, media_type="application/octet-stream")


def _rewritable_files(released: ReleasedRecord | None) -> list[str]:
    """The public texts that can be had in another encoding."""
    files = [] if released is None else released["files"]
    return [f["path"] for f in files if f["reader"] == "publish" and f["path"].endswith(".csv")]


def _source_encoding(project: Project) -> str:
    """The encoding of the source; empty where it is UTF-8 or the source is no text."""
    look = project.result("look")
    encoding = "" if look is None else str(look["dialect"].get("encoding") or "")
    return "" if encoding.lower().startswith("utf-8") else encoding


def _download(content: bytes, name: str) -> Response:
    return Response(
        content,
        media_type="application/octet-stream",
        headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"},
    )
