"""The page Release: everything written into a folder, each file with its reader."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from starlette.responses import FileResponse, Response

from tokumei.core.recipe import file_name
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound, Wrong
from tokumei.studio.kinds.kind import kind_of
from tokumei.studio.recipes import same_as_release
from tokumei.studio.store.home import Home
from tokumei.studio.store.project import Project
from tokumei.studio.store.readers import READERS
from tokumei.studio.web.frame import project_page
from tokumei.studio.web.pages.candidates import selected_of
from tokumei.studio.web.pages.joint import joint_of, keep_checked, suggested
from tokumei.studio.web.render import At, Here, Posted, go

SEEN = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)
"""Of our own reports, opened: they are of no origin, and cannot ask for anything."""
router = APIRouter()


@router.get("/p/{id}/release")
def release(visit: Here, project: At) -> Response:
    """Where to write, or what was written."""
    _, chosen = selected_of(project)
    if chosen is None:
        return go(visit, f"p/{project.id}/candidates")
    state = project.change(step="release")
    done = project.result("released")
    done = None if done is None or not Path(done["folder"]).is_dir() else done
    folder = done["folder"] if done else str(_folder(visit.home, project))
    look = project.result("look")
    keep_checked(visit, project, state, chosen["id"])
    return project_page(
        visit,
        project,
        "release",
        title=Text("Write the release", "公開用ファイルを書き出す"),
        same=same_as_release(state, look, chosen["request"], folder),
        watched=("ledger", "release", "upload"),
        one=chosen,
        told=project.result(f"attacks/{chosen['id']}"),
        folder=str(_folder(visit.home, project)),
        done=done,
        of_this=done is not None and done["candidate"] == chosen["id"],
        readers=READERS,
        kind=kind_of(state),
        joint=joint_of(project, state, chosen["id"]),
        suggested=suggested(visit, state),
        uploaded=project.result("uploaded"),
    )


def _folder(home: Home, project: Project) -> Path:
    """A folder that is not there yet."""
    name = file_name(project.state().name.partition(".")[0])
    places = (home.folder / "releases" / f"{name}-{n:02d}" for n in range(1, 10_000))
    return next(place for place in places if not place.exists())


@router.post("/p/{id}/release")
def write(visit: Here, project: At, form: Posted) -> Response:
    """Write the release into the folder that was chosen."""
    state = project.state()
    if not state.selected:
        raise Wrong("choose a candidate first", "先に候補を選んでください")
    folder = Path(str(form.get("folder", "")).strip()).expanduser()
    if not folder.is_absolute():
        raise Wrong("name the folder with its whole path", "フォルダは絶対パスで指定してください")
    (visit.home.folder / "releases").mkdir(mode=0o700, exist_ok=True)
    visit.start(project, "release", id=state.selected[0], folder=str(folder))
    return go(visit, f"p/{project.id}/release")


@router.post("/p/{id}/entry")
def entry(visit: Here, project: At) -> Response:
    """Make an upload for the contest from the release."""
    if project.state().contest is None or project.result("released") is None:
        raise NotFound
    visit.start(project, "upload")
    return go(visit, f"p/{project.id}/release")


@router.get("/p/{id}/file/{path:path}")
def file(project: At, path: str) -> Response:
    """A file of the release: pages are shown, all else is saved."""
    done = project.result("released")
    if done is None or path not in {one["path"] for one in done["files"]}:
        raise NotFound
    found = Path(done["folder"]) / path
    if not found.is_file():
        raise NotFound("this file is no longer there", "ファイルはもうありません")
    if found.suffix == ".html":
        return FileResponse(
            found, media_type="text/html", headers={"content-security-policy": SEEN}
        )
    return FileResponse(found, filename=found.name, media_type="application/octet-stream")
