"""The page Look: profile of every column, and the decisions about it."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import Response

from tokumei.apps.http.errors import NotFound, UnprocessableContent
from tokumei.apps.http.responses import JsonResponse
from tokumei.apps.studio.adapters.base import adapter_for, all_adapters
from tokumei.apps.studio.command_equivalents import profile_equivalents
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import KindName, ProjectState, Role
from tokumei.apps.studio.store.records import ColumnRecord, PlainData, ProfileRecord
from tokumei.apps.studio.web.page_frame import render_project_page
from tokumei.apps.studio.web.pages.reading import describe_reading
from tokumei.apps.studio.web.rendering import (
    CurrentProject,
    CurrentStudioRequest,
    FormFields,
    StudioRequest,
    validate_form,
)
from tokumei.core.messages import Message
from tokumei.tables.profiling.normalization_rules import NORMALIZATION_RULES

ROLE_CHOICES: dict[Role, tuple[str, Message, Message]] = {
    "identifier": (
        "i",
        Message("Identifies people"),
        Message("names somebody by itself; never released"),
    ),
    "quasi": ("q", Message("Others may know it"), Message("made coarser until people look alike")),
    "sensitive": (
        "s",
        Message("Must stay private"),
        Message("what nobody should learn about a person"),
    ),
    "keep": ("k", Message("Keep as it is"), Message("released unchanged, by your decision")),
    "replace": (
        "r",
        Message("Replace personal data"),
        Message("texts are released, names and numbers in them replaced"),
    ),
    "drop": ("d", Message("Leave out"), Message("not released")),
}
MANY_COLUMNS = 30
"""More columns than these are shown as a list, a row for each."""
MAX_ALIKE = 3
"""The same question about more columns than these is asked once."""
ANSWERS: dict[str, tuple[Message, Message]] = {
    "person": (
        Message("It numbers people", context="an answer"),
        Message("people are counted by it; it is not released"),
    ),
    "identifier": (Message("It says who somebody is"), Message("it is never released")),
    "quasi": (
        Message("Others may know it, but it names nobody"),
        Message("it is made coarser until people look alike"),
    ),
    "replace": (
        Message("Replace the personal data in it"),
        Message("the texts are released with names and numbers replaced"),
    ),
    "keep": (Message("Neither: keep it"), Message("it is released unchanged")),
    "drop": (Message("Leave it out"), Message("it is not released")),
    "dmy": (Message("The day comes first"), Message("3/4 is 3 April, in all columns of dates")),
    "mdy": (Message("The month comes first"), Message("3/4 is 4 March, in all columns of dates")),
}
"""The answers to a question about a column, and what follows from each."""
_ANSWERS_BY_QUESTION: dict[str, tuple[str, ...]] = {
    "text-with-personal-data": ("drop", "replace", "keep"),
    "free-text": ("drop", "replace", "keep"),
    "mixed-contact": ("identifier", "keep"),
    "date-order": ("dmy", "mdy"),
    "person-or-thing": ("identifier", "quasi", "keep"),
    "unnamed-column": ("identifier", "person", "quasi", "keep", "drop"),
    "key-like": ("person", "identifier", "quasi", "keep"),
    "many-words": ("identifier", "quasi", "keep"),
    "two-person-columns": ("person", "identifier"),
    "not-people": ("person", "identifier", "keep"),
}
router = APIRouter()


@router.get("/p/{id}/look")
def show_profile(visit: CurrentStudioRequest, project: CurrentProject) -> Response:
    """The columns of the file."""
    state = project.change(step="look")
    profile = project.result("look")
    return render_project_page(
        visit,
        project,
        "look",
        title=Message("What is in the file"),
        same=profile_equivalents(state, profile),
        watched=("look", "reading"),
        look=profile,
        reading=describe_reading(project, state, profile),
        fresh=profile is not None and profile["inputs"] == state.inputs("look"),
        columns=_column_rows(profile, state),
        questions=_questions(profile, state),
        many=profile is not None and len(profile["columns"]) > MANY_COLUMNS,
        rules=_normalization_rows(profile, state),
        roles=ROLE_CHOICES,
        answers=ANSWERS,
        kinds={name: adapter.title for name, adapter in all_adapters().items()},
        parts=adapter_for(state).parts,
    )


def _column_rows(profile: ProfileRecord | None, state: ProjectState) -> list[PlainData]:
    """Profile and decision of each column; an identifying one is masked."""
    if profile is None:
        return []
    rows = list[PlainData]()
    for number, column in enumerate(profile["columns"]):
        role = state.roles.get(column["name"], "drop")
        masked = column["masked"] or role == "identifier" or column["name"] == state.person
        cells = [row[number] for row in profile["first"]]
        rows.append({**column, "decided": role, "masked": masked, "cells": cells})
    return rows


def _questions(profile: ProfileRecord | None, state: ProjectState) -> list[PlainData]:
    """The questions that only the owner can answer, each with its answers and the one in force.

    The same question about many columns stands once, and its answer is for all of them.
    """
    columns_by_question: dict[str, list[ColumnRecord]] = {}
    for column in [] if profile is None else profile["columns"]:
        if column["question"] is not None:
            asked = str(column["question"]["id"])
            columns_by_question.setdefault(asked, []).append(column)
    rows = list[PlainData]()
    for asked, columns in columns_by_question.items():
        if len(columns) > MAX_ALIKE:
            rows.append(_question_row(asked, columns, state))
        else:
            rows += [_question_row(asked, [column], state) for column in columns]
    return rows


def _question_row(asked: str, columns: list[ColumnRecord], state: ProjectState) -> PlainData:
    names = [column["name"] for column in columns]
    answers = [
        answer
        for answer in _ANSWERS_BY_QUESTION.get(asked, ())
        if answer != "person" or len(names) == 1
    ]
    if asked == "date-order":
        order = str(state.reading.date_order)
        return {
            "columns": names,
            "question": columns[0]["question"],
            "answers": answers,
            "given": order,
        }
    given = {"person" if state.person == n else state.roles.get(n, "drop") for n in names}
    return {
        "columns": names,
        "question": columns[0]["question"],
        "answers": answers,
        "given": given.pop() if len(given) == 1 else "",
    }


def _normalization_rows(profile: ProfileRecord | None, state: ProjectState) -> list[PlainData]:
    """Normalizations that touch something, and those that are off."""
    rows = [] if profile is None else list(profile["rules"])
    listed_rules = {rule["rule"] for rule in rows}
    off = [name for name in state.off if name in NORMALIZATION_RULES and name not in listed_rules]
    rows += [
        {"rule": name, "words": NORMALIZATION_RULES[name].texts(), "cells": 0, "columns": []}
        for name in off
    ]
    return [{**rule, "on": rule["rule"] not in state.off} for rule in rows]


class Decision(BaseModel):
    """One change on the page; `stamp` is that of the page it was made on."""

    stamp: int
    column: str | None = None
    columns: list[str] | None = None
    role: Role | None = None
    person: str | None = None
    rule: str | None = None
    on: bool = True
    kind: KindName | None = None
    part: str | None = None
    date_order: Literal["dmy", "mdy"] | None = None


@router.post("/p/{id}/look")
def save_decision(
    visit: CurrentStudioRequest, project: CurrentProject, form: FormFields
) -> Response:
    """Keep a decision, and look again with it; says if another tab was there before."""
    decision = validate_form(Decision, form)
    before = project.state()
    after = project.change(**_decision_changes(decision, before))
    if after is not before:
        visit.start(project, "look")
    return JsonResponse(
        {"ok": True, "stamp": after.stamp, "elsewhere": decision.stamp < before.stamp}
    )


def _decision_changes(decision: Decision, state: ProjectState) -> PlainData:
    if decision.kind is not None:
        return {"kind": decision.kind}
    if decision.date_order is not None:
        return {"reading": {**state.reading.model_dump(), "date_order": decision.date_order}}
    if decision.rule is not None:
        return {"off": _switched_off_rules(decision, state)}
    if decision.part is not None:
        _require_column(decision.column, state)
        if decision.part not in adapter_for(state).parts:
            raise NotFound
        return {"columns": {**state.columns, decision.part: decision.column}}
    if decision.person is not None:
        if decision.person:
            _require_column(decision.person, state)
        person = decision.person or None
        roles = {**state.roles, person: "identifier"} if person else state.roles
        return {"person": person, "roles": roles}
    names = [str(decision.column)] if decision.columns is None else decision.columns
    for name in names:
        _require_column(name, state)
    if decision.role is None or not names:
        raise UnprocessableContent("no decision was sent")
    changes: PlainData = {"roles": {**state.roles, **dict.fromkeys(names, decision.role)}}
    # A column that leaves in any form does not tell people apart.
    if state.person in names and decision.role not in ("identifier", "drop"):
        changes["person"] = None
    return changes


def _switched_off_rules(decision: Decision, state: ProjectState) -> list[str]:
    if decision.rule not in NORMALIZATION_RULES:
        raise NotFound
    other_rules = [name for name in state.off if name != decision.rule]
    return other_rules if decision.on else [*other_rules, str(decision.rule)]


def _require_column(name: str | None, state: ProjectState) -> None:
    if name not in state.roles:
        raise NotFound


def require_profile(visit: StudioRequest, project: Project) -> ProfileRecord | None:
    """The profile; starts the job if there is neither a profile nor a job."""
    profile = project.result("look")
    job = visit.jobs.of(project).get("look")
    if profile is None and job is None:
        visit.start(project, "look")
    return profile
