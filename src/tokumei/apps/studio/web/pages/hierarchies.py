"""The page of a hierarchy: edits groups of a column's values and checks them."""

from __future__ import annotations

import shlex
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from tokumei.apps.http.errors import NotFound
from tokumei.apps.http.responses import JsonResponse
from tokumei.apps.http.templates import format_sentence
from tokumei.apps.studio.command_equivalents import Equivalents, format_yaml
from tokumei.apps.studio.store.hierarchies import hierarchy_path, save_hierarchy
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.web.page_frame import render_project_page
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    as_list,
    redirect,
    validate_form,
)
from tokumei.core.errors import TokumeiError
from tokumei.core.language import language_context
from tokumei.core.messages import Message

DATE_UNITS = {
    "month": Message("month"),
    "quarter": Message("quarter"),
    "year": Message("year"),
    "half-decade": Message("five years"),
    "decade": Message("ten years"),
}
MAX_LEAVES = 5_000
router = APIRouter()
Label = Annotated[str, Field(max_length=400)]


class HierarchyRows(BaseModel):
    """A hierarchy as rows, the leaf first."""

    rows: list[Annotated[list[Label], Field(min_length=2, max_length=30)]] = Field(
        min_length=1, max_length=MAX_LEAVES
    )


def column_by_number(project: Project, number: int) -> str:
    """A column by its number."""
    names = list(project.state().roles)
    if not 0 <= number < len(names):
        raise NotFound
    return names[number]


@router.get("/p/{id}/hierarchy/{number}")
def show_hierarchy(visit: CurrentStudioRequest, project: CurrentProject, number: int) -> Response:
    """The tree of a column; one is proposed if there is none."""
    name = column_by_number(project, number)
    saved_tree = project.result("trees", f"{number:02d}")
    job = visit.jobs.of(project).get("tree")
    if saved_tree is None and (
        job is None or (not job.running and job.args.get("number") != number)
    ):
        visit.start(project, "tree", number=number)
    state = project.state()
    masked = _is_masked(project, name)
    file = f"{number:02d}.csv"
    source, quoted = shlex.quote(state.source), shlex.quote(name)
    same = Equivalents(
        f"tokumei hierarchy build --data {source} --column {quoted} --out {file}\n"
        f"tokumei hierarchy check --hierarchy {file} --data {source} --column {quoted}",
        f"import tokumei as tk\n\ntree = tk.tables.read_hierarchy({file!r}, {name!r})",
        format_yaml({"steps": [{"method": "local", "hierarchies": {name: file}}]}),
    )
    return render_project_page(
        visit,
        project,
        "look",
        template="tree.html",
        title=Message("Groups of {name}", name=name),
        same=same,
        watched=("tree",),
        column=name,
        number=number,
        tree=None if masked else saved_tree,
        masked=masked,
        own=name in state.trees,
        units=DATE_UNITS,
    )


def _is_masked(project: Project, name: str) -> bool:
    look, state = project.result("look"), project.state()
    columns = [] if look is None else look["columns"]
    masked_flags = (column["masked"] for column in columns if column["name"] == name)
    return next(masked_flags, True) or state.roles[name] == "identifier" or name == state.person


@router.post("/p/{id}/hierarchy/{number}")
def save_edited_hierarchy(
    visit: CurrentStudioRequest, project: CurrentProject, number: int, form: FormFields
) -> Response:
    """Check a tree, and keep it if every value reaches the top and levels are nested."""
    name = column_by_number(project, number)
    hierarchy_rows = validate_form(HierarchyRows, form)
    try:
        save_hierarchy(project, name, hierarchy_rows.rows)
    except TokumeiError as error:
        with language_context(visit.lang):
            messages = [format_sentence(violation.message) for violation in error.faults] or [
                format_sentence(error.message)
            ]
        return JsonResponse({"ok": False, "faults": messages})
    state = project.state()
    project.change(trees={**state.trees, name: state.trees.get(name, 0) + 1})
    return JsonResponse({"ok": True})


@router.post("/p/{id}/hierarchy/{number}/make")
def start_proposal(
    visit: CurrentStudioRequest, project: CurrentProject, number: int, form: FormFields
) -> Response:
    """Propose a tree anew: by itself, by cuts, widths, units of dates or digits."""
    column_by_number(project, number)
    how = str(form.get("how", "auto"))
    value = ",".join(as_list(form.get("value")))[:1000]
    visit.start(project, "tree", number=number, how=how, value=value)
    return redirect(visit, f"p/{project.id}/hierarchy/{number}")


@router.post("/p/{id}/hierarchy/{number}/import")
async def upload_hierarchy(
    request: Request, visit: CurrentStudioRequest, project: CurrentProject, number: int
) -> Response:
    """A tree from a file in ARX's form: the body of this request."""
    column_by_number(project, number)
    body = await request.body()
    text = body.decode("utf-8", "replace")
    visit.start(project, "tree", number=number, how="file", value=text)
    return redirect(visit, f"p/{project.id}/hierarchy/{number}")


@router.get("/p/{id}/hierarchy/{number}/export")
def download_hierarchy(project: CurrentProject, number: int) -> Response:
    """The tree as a file in ARX's form."""
    path = hierarchy_path(project, column_by_number(project, number))
    if not path.is_file():
        raise NotFound("save the hierarchy first")
    name = f"hierarchy_{number:02d}.csv"
    return FileResponse(path, filename=name, media_type="application/octet-stream")
