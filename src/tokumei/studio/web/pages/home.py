"""The first page: a file to drop or pick, samples, recent projects, a contest's folder."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tokumei.core.text import Text
from tokumei.http.refusals import NotFound, Wrong
from tokumei.studio.samples import SAMPLES, write_sample
from tokumei.studio.store.contests import contest_source
from tokumei.studio.web.forms import At, Here, Posted
from tokumei.studio.web.frame import TITLES
from tokumei.studio.web.pages.uploads import MOST_BYTES
from tokumei.studio.web.render import go, page

router = APIRouter()


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
    project = visit.home.begin(found.name, found)
    visit.jobs.start(project, "look", lang=visit.lang)
    return go(visit, f"p/{project.id}/look")


@router.post("/sample")
def sample(visit: Here, form: Posted) -> Response:
    """Begin with made-up data."""
    name = str(form.get("sample", ""))
    if name not in SAMPLES:
        raise NotFound
    place = visit.home.arriving()
    write_sample(name, place)
    project = visit.home.begin(SAMPLES[name].file, place, keep=False)
    visit.jobs.start(project, "look", lang=visit.lang)
    return go(visit, f"p/{project.id}/look")


@router.post("/contest")
def contest(visit: Here, form: Posted) -> Response:
    """Begin with the data of a contest's folder."""
    given = str(form.get("folder", "")).strip()
    if not given:
        raise Wrong("name the folder of the contest", "コンテストのフォルダを指定してください")
    found = contest_source(given)
    project = visit.home.begin(found.data.name, found.data, kind=found.kind, contest=found.folder)
    visit.jobs.start(project, "look", lang=visit.lang)
    return go(visit, f"p/{project.id}/look")


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
