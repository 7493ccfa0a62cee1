"""The page of a hierarchy: groups of a column's values, edited by hand and checked at once."""

from __future__ import annotations

import shlex
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text, language
from tokumei.http.answers import Json
from tokumei.http.pages import sentence
from tokumei.http.refusals import NotFound
from tokumei.studio.recipes import Same, yaml_text
from tokumei.studio.store.project import Project
from tokumei.studio.store.trees import save_tree, tree_path
from tokumei.studio.web.frame import project_page
from tokumei.studio.web.render import At, Here, Posted, as_model, go, many

UNITS = {
    "month": Text("month", "月"),
    "quarter": Text("quarter", "四半期"),
    "year": Text("year", "年"),
    "half-decade": Text("five years", "5 年"),
    "decade": Text("ten years", "10 年"),
}
MOST_LEAVES = 5_000
router = APIRouter()
Label = Annotated[str, Field(max_length=400)]


class Tree(BaseModel):
    """A hierarchy as rows, the leaf first."""

    rows: list[Annotated[list[Label], Field(min_length=2, max_length=30)]] = Field(
        min_length=1, max_length=MOST_LEAVES
    )


def column_of(project: Project, number: int) -> str:
    """A column by its number."""
    names = list(project.state().roles)
    if not 0 <= number < len(names):
        raise NotFound
    return names[number]


@router.get("/p/{id}/hierarchy/{number}")
def tree(visit: Here, project: At, number: int) -> Response:
    """The tree of a column; one is proposed if there is none."""
    name = column_of(project, number)
    found = project.result(f"trees/{number:02d}")
    job = visit.jobs.of(project).get("tree")
    if found is None and (job is None or (not job.running and job.args.get("number") != number)):
        visit.start(project, "tree", number=number)
    state = project.state()
    masked = _masked(project, name)
    file = f"{number:02d}.csv"
    source, quoted = shlex.quote(state.source), shlex.quote(name)
    same = Same(
        f"tokumei hierarchy build --data {source} --column {quoted} --out {file}\n"
        f"tokumei hierarchy check --hierarchy {file} --data {source} --column {quoted}",
        f"import tokumei as tk\n\ntree = tk.tables.read_hierarchy({file!r}, {name!r})",
        yaml_text({"steps": [{"method": "local", "hierarchies": {name: file}}]}),
    )
    return project_page(
        visit,
        project,
        "look",
        template="tree.html",
        title=Text(f"Groups of {name}", f"{name} の階層"),
        same=same,
        watched=("tree",),
        column=name,
        number=number,
        tree=None if masked else found,
        masked=masked,
        own=name in state.trees,
        units=UNITS,
    )


def _masked(project: Project, name: str) -> bool:
    look = project.result("look") or {"columns": []}
    state = project.state()
    found = (one["masked"] for one in look["columns"] if one["name"] == name)
    return next(found, True) or state.roles[name] == "identifier" or name == state.person


@router.post("/p/{id}/hierarchy/{number}")
def save(visit: Here, project: At, number: int, form: Posted) -> Response:
    """Check a tree, and keep it if every value reaches the top and levels are nested."""
    name = column_of(project, number)
    given = as_model(Tree, form)
    try:
        save_tree(project, name, given.rows)
    except TokumeiError as error:
        with language(visit.lang):
            told = [sentence(one.message) for one in error.faults] or [sentence(error.message)]
        return Json({"ok": False, "faults": told})
    state = project.state()
    project.change(trees={**state.trees, name: state.trees.get(name, 0) + 1})
    return Json({"ok": True})


@router.post("/p/{id}/hierarchy/{number}/make")
def make(visit: Here, project: At, number: int, form: Posted) -> Response:
    """Propose a tree anew: by itself, by cuts, widths, units of dates or digits."""
    column_of(project, number)
    how = str(form.get("how", "auto"))
    value = ",".join(many(form.get("value")))[:1000]
    visit.start(project, "tree", number=number, how=how, value=value)
    return go(visit, f"p/{project.id}/hierarchy/{number}")


@router.post("/p/{id}/hierarchy/{number}/import")
async def take(request: Request, visit: Here, project: At, number: int) -> Response:
    """A tree from a file in ARX's form: the body of this request."""
    column_of(project, number)
    body = await request.body()
    text = body.decode("utf-8", "replace")
    visit.start(project, "tree", number=number, how="file", value=text)
    return go(visit, f"p/{project.id}/hierarchy/{number}")


@router.get("/p/{id}/hierarchy/{number}/export")
def give(project: At, number: int) -> Response:
    """The tree as a file in ARX's form."""
    path = tree_path(project, column_of(project, number))
    if not path.is_file():
        raise NotFound("save the hierarchy first", "先に階層を保存してください")
    name = f"hierarchy_{number:02d}.csv"
    return FileResponse(path, filename=name, media_type="application/octet-stream")
