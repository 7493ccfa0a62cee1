"""The page Purpose: three questions that determine the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import purpose_equivalents, to_purpose
from tokumei.apps.studio.store.project_state import ProjectState, PurposeState
from tokumei.apps.studio.web.page_frame import render_project_page
from tokumei.apps.studio.web.pages.look import require_profile
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    as_list,
    redirect,
    validate_form,
)
from tokumei.core.advice.purpose import NO_LEGAL_ADVICE, RECIPIENT_LABELS, RECIPIENTS
from tokumei.core.messages import Message

RECIPIENT_DESCRIPTIONS = {
    "public": Message("A website or open data: nobody can be bound to any rules."),
    "partner": Message("A company or university that signed what it may do."),
    "inside": Message("Colleagues, under your organisation's own rules."),
}
MAX_TABLES = 4
router = APIRouter()


@router.get("/p/{id}/purpose")
def show_purpose(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """The questions, with an answer filled in."""
    profile = require_profile(visit, project)
    state = project.change(step="purpose")
    current_purpose = to_purpose(state)
    settings = {
        recipient: replace(current_purpose, recipient=recipient).settings.words()
        for recipient in RECIPIENTS
    }
    return render_project_page(
        visit,
        project,
        "purpose",
        title=Message("What is it for?"),
        same=purpose_equivalents(state, profile),
        watched=("look",),
        recipients=[
            (recipient, RECIPIENT_LABELS[recipient], RECIPIENT_DESCRIPTIONS[recipient])
            for recipient in RECIPIENTS
        ],
        settings=settings,
        known=_known_columns(state),
        stays=_exact_column_choices(state),
        kind=adapter_for(state),
        most_tables=MAX_TABLES,
        no_law=NO_LEGAL_ADVICE,
    )


def _known_columns(state: ProjectState) -> list[tuple[str, bool]]:
    """Columns that others may know, ticked as answered, else those made coarser."""
    kind = adapter_for(state)
    ticked = kind.usual(state) if state.purpose.known is None else {*state.purpose.known}
    return [(name, name in ticked) for name in kind.purpose_columns(state)]


def _exact_column_choices(state: ProjectState) -> list[str]:
    """Columns that may have to stay exact, those named before first and in their order."""
    names = adapter_for(state).purpose_columns(state)
    named_before = [name for name in state.purpose.keep if name in names]
    return [*named_before, *(name for name in names if name not in named_before)]


@router.post("/p/{id}/purpose")
def save_purpose(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """Keep the answers, and look for candidates."""
    purpose_state = validate_form(PurposeState, _parse_purpose_form(form))
    if not purpose_state.known and "known" in adapter_for(project.state()).asks:
        raise UnprocessableContent("tick at least one column that somebody may know of a person")
    state = project.change(purpose=purpose_state.model_dump())
    advice = project.result("advice")
    if advice is None or advice["inputs"] != state.inputs("candidates") or not advice["ended"]:
        project.change(selected=[])
        visit.start(project, "advise", seconds=visit.seconds)
    return redirect(visit, f"p/{project.id}/candidates")


def _parse_purpose_form(form: Mapping[str, object]) -> dict[str, object]:
    """The form's fields as answers; an empty field of an expert means: as the recipient says."""
    answers: dict[str, object] = {
        "recipient": form.get("recipient"),
        "known": as_list(form.get("known")),
        "keep": as_list(form.get("keep")),
        "predict": form.get("predict") or None,
        "tables": [names for n in range(MAX_TABLES) if (names := as_list(form.get(f"table-{n}")))],
        "k": form.get("k") or None,
        "models": [model.strip() for model in str(form["models"]).split(",")]
        if form.get("models")
        else None,
    }
    share = form.get("suppression")
    if share not in (None, ""):
        answers["suppression"] = _parse_percent(str(share))
    return answers


def _parse_percent(text: str) -> float | str:
    try:
        return float(text) / 100
    except ValueError:
        return text  # the model refuses it
