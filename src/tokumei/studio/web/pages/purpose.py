"""The page Purpose: three questions, from which everything else follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.core.advice.purpose import NO_LAW, RECIPIENTS, WHO
from tokumei.core.text import Text
from tokumei.http.refusals import Wrong
from tokumei.studio.kinds.kind import kind_of
from tokumei.studio.recipes import purpose_of, same_as_purpose
from tokumei.studio.store.state import ProjectState, PurposeState
from tokumei.studio.web.frame import project_page
from tokumei.studio.web.pages.look import require_look
from tokumei.studio.web.render import At, Here, Posted, as_model, go, many

ABOUT = {
    "public": Text(
        "A web site, open data: nobody can be asked to hold back.",
        "ウェブサイトやオープンデータ。使い方を縛れません。",
    ),
    "partner": Text(
        "A company or university that signed what it may do.", "使い方に合意した企業や大学。"
    ),
    "inside": Text("Colleagues, under the house's own rules.", "社内規程に従う同僚。"),
}
MOST_TABLES = 4
router = APIRouter()


@router.get("/p/{id}/purpose")
def purpose(visit: Here, project: At) -> Response:
    """The questions, with an answer filled in."""
    found = require_look(visit, project)
    state = project.change(step="purpose")
    asked = purpose_of(state)
    settings = {one: replace(asked, recipient=one).settings.words() for one in RECIPIENTS}
    return project_page(
        visit,
        project,
        "purpose",
        title=Text("What is it for?", "何のために使いますか"),
        same=same_as_purpose(state, found),
        watched=("look",),
        recipients=[(one, WHO[one], ABOUT[one]) for one in RECIPIENTS],
        settings=settings,
        known=_known(state),
        stays=_stays(state),
        kind=kind_of(state),
        most_tables=MOST_TABLES,
        no_law=NO_LAW,
    )


def _known(state: ProjectState) -> list[tuple[str, bool]]:
    """Columns that others may know, ticked as answered, else those made coarser."""
    kind = kind_of(state)
    ticked = kind.usual(state) if state.purpose.known is None else {*state.purpose.known}
    return [(name, name in ticked) for name in kind.names(state)]


def _stays(state: ProjectState) -> list[str]:
    """Columns that may have to stay exact, those named before first and in their order."""
    names = kind_of(state).names(state)
    chosen = [name for name in state.purpose.keep if name in names]
    return [*chosen, *(name for name in names if name not in chosen)]


@router.post("/p/{id}/purpose")
def answer(visit: Here, project: At, form: Posted) -> Response:
    """Keep the answers, and look for candidates."""
    asked = as_model(PurposeState, _answers(form))
    if not asked.known and "known" in kind_of(project.state()).asks:
        raise Wrong(
            "tick at least one column that somebody may know of a person",
            "相手が知り得る列を一つ以上選んでください",
        )
    state = project.change(purpose=asked.model_dump())
    advice = project.result("advice")
    if advice is None or advice["inputs"] != state.inputs("candidates") or not advice["ended"]:
        project.change(selected=[])
        visit.start(project, "advise", seconds=visit.seconds)
    return go(visit, f"p/{project.id}/candidates")


def _answers(form: dict[str, Any]) -> dict[str, Any]:
    """The form's fields as answers; an empty field of an expert means: as the recipient says."""
    found: dict[str, Any] = {
        "recipient": form.get("recipient"),
        "known": many(form.get("known")),
        "keep": many(form.get("keep")),
        "predict": form.get("predict") or None,
        "tables": [names for n in range(MOST_TABLES) if (names := many(form.get(f"table-{n}")))],
        "k": form.get("k") or None,
        "models": [one.strip() for one in str(form["models"]).split(",")]
        if form.get("models")
        else None,
    }
    share = form.get("suppression")
    if share not in (None, ""):
        found["suppression"] = _share(str(share))
    return found


def _share(text: str) -> Any:
    try:
        return float(text) / 100
    except ValueError:
        return text  # told as a field that is wrong
