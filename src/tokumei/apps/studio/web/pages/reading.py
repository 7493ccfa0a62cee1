"""How the file is read: sheet, header, separator, encoding, dates; with the first rows as a try.

What somebody chooses is tried at once by the job `reading`, and holds only when it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.apps.http.responses import JsonResponse
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState, ReadingState
from tokumei.apps.studio.store.records import PlainData, ProfileRecord
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    redirect,
    validate_form,
)
from tokumei.core.messages import Message
from tokumei.files.encodings import ENCODINGS

DECIMAL_RULE = "decimal-comma"
SEPARATORS = {
    ",": Message("comma ,"),
    ";": Message("semicolon ;"),
    "tab": Message("tab"),
    "|": Message("bar |"),
}
DATE_ORDER_LABELS = {
    "dmy": Message("day, month, year"),
    "mdy": Message("month, day, year"),
    "ymd": Message("year, month, day"),
}
router = APIRouter()


def describe_reading(
    project: Project, state: ProjectState, profile: ProfileRecord | None
) -> PlainData:
    """What the page shows: choices, what was said and found, and the last try."""
    dialect = {} if profile is None else dict(profile["dialect"])
    tried = project.result("reading")
    doubts = dialect.get("doubts") or []
    found = {name: dialect.get(name) for name in ("sheets", "sheet", "header_row", "encoding")}
    return {
        "said": state.reading,
        "found": found,
        "doubts": doubts,
        "open": profile is None or (bool(doubts) and not state.reading.options()),
        "tried": tried,
        "separators": SEPARATORS,
        "encodings": [name for name in ENCODINGS if name != "auto"],
        "orders": DATE_ORDER_LABELS,
        "comma_off": DECIMAL_RULE in state.off,
    }


@router.post("/p/{id}/reading/try")
def try_reading(visit: CurrentStudioRequest, project: CurrentProject, form: FormFields) -> Response:
    """Read the first rows with other options; nothing is decided."""
    reading = _parse_reading(form)
    visit.start(project, "reading", reading=reading.options())
    return JsonResponse({"ok": True})


@router.post("/p/{id}/reading")
def save_reading(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """Keep how the file is read, and look at it again."""
    reading, state = _parse_reading(form), project.state()
    off = [rule for rule in state.off if rule != DECIMAL_RULE]
    if form.get("decimal") == "point":
        off.append(DECIMAL_RULE)
    project.change(reading=reading.model_dump(), off=off)
    project.forget_result("reading")
    visit.start(project, "look")
    return redirect(visit, f"p/{project.id}/look")


def _parse_reading(form: Mapping[str, object]) -> ReadingState:
    """The fields of the form; an empty one is found out."""
    fields = {name: str(form.get(name) or "").strip() or None for name in ReadingState.model_fields}
    if fields["sep"] == "tab":
        fields["sep"] = "\t"
    return validate_form(ReadingState, dict(fields))
