"""The page Purpose: the scenario, asked once, and what must stay; settings follow from both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fastapi import APIRouter
from starlette.responses import Response

from tokumei.apps.http.errors import NotFound, UnprocessableContent
from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import purpose_equivalents, to_purpose
from tokumei.apps.studio.store.project_state import (
    ProjectState,
    PurposeState,
    ScenarioState,
)
from tokumei.apps.studio.store.records import ProfileRecord
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
from tokumei.core.scenario import DEFAULT_LIMITS

RECIPIENT_DESCRIPTIONS = {
    "public": Message("A website or open data: nobody can be bound to any rules."),
    "partner": Message("A company or university that signed what it may do."),
    "inside": Message("Colleagues, under your organisation's own rules."),
}
MAX_TABLES = 4
MODEL_CHOICES = {
    "l": (
        Message("l-diversity"),
        Message("every group has at least so many different private values, such as 2"),
        "2",
        "1",
    ),
    "entropy-l": (
        Message("entropy l-diversity"),
        Message("the same, and none of them may be too frequent in its group, such as 1.5"),
        "1.01",
        "any",
    ),
    "alpha": (
        Message("largest share (α)"),
        Message("no private value has more than this share of a group, such as 0.5"),
        "0.01",
        "any",
    ),
    "t": (
        Message("t-closeness"),
        Message("groups differ from the whole table by at most this, from 0 to 1, such as 0.2"),
        "0.01",
        "any",
    ),
    "beta": (
        Message("β-likeness"),
        Message("no value is more than so many times likelier in a group than overall, such as 1"),
        "0.01",
        "any",
    ),
}
"""Privacy models that a form offers: title, what the number means, the least one, its steps."""
ROUGH_CHOICES: dict[str, dict[str, Message]] = {
    "date": {
        "7d": Message("within 7 days"),
        "30d": Message("within 30 days"),
        "365d": Message("within a year"),
    },
    "numeric": {
        "5%": Message("within 5 %"),
        "10%": Message("within 10 %"),
        "20%": Message("within 20 %"),
    },
    "": {
        "1": Message("its first character"),
        "2": Message("its first 2 characters"),
        "3": Message("its first 3 characters"),
        "up": Message("only its group (hierarchy)"),
    },
}
ROUGH_WORDS = ROUGH_CHOICES[""]
"""How exactly a column may be known other than exactly, by the kind of its cells."""
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
        limits={recipient: DEFAULT_LIMITS[recipient] for recipient in RECIPIENTS},
        limit_words={recipient: _limit_words(recipient) for recipient in RECIPIENTS},
        known=_known_columns(state, profile),
        persons=list(state.roles),
        stays=_exact_column_choices(state),
        kind=adapter_for(state),
        models=MODEL_CHOICES,
        chosen_models=dict(
            model.split("=", 1) for model in state.purpose.models or [] if "=" in model
        ),
        most_tables=MAX_TABLES,
        no_law=NO_LEGAL_ADVICE,
    )


@dataclass(frozen=True)
class KnownColumnChoice:
    """A column that others may know: whether it is ticked, and how exactly it may be known."""

    name: str
    ticked: bool
    number: int
    roughly: str
    choices: Mapping[str, Message]


def _known_columns(state: ProjectState, profile: ProfileRecord | None) -> list[KnownColumnChoice]:
    """Columns that others may know, ticked as answered, else those made coarser."""
    kind = adapter_for(state)
    ticked = kind.usual(state) if state.purpose.known is None else {*state.purpose.known}
    kinds = {} if profile is None else {c["name"]: str(c["kind"]) for c in profile["columns"]}
    numbers = {name: number for number, name in enumerate(state.roles)}
    return [
        KnownColumnChoice(
            name,
            name in ticked,
            numbers.get(name, 0),
            state.scenario.roughly.get(name, ""),
            ROUGH_CHOICES.get(kinds.get(name, ""), ROUGH_WORDS),
        )
        for name in kind.purpose_columns(state)
    ]


def _limit_words(recipient: str) -> Message:
    limits = DEFAULT_LIMITS[recipient]
    return Message(
        "fits if at most {identified:percent} can be identified, at most {guessed:percent} are "
        "guessed right on average, and at least {size} share what is known of one of them",
        identified=limits.identified,
        guessed=limits.guessed_right,
        size=limits.smallest_class,
    )


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
    before = project.state()
    purpose_state = validate_form(PurposeState, _parse_purpose_form(form))
    if not purpose_state.known and "known" in adapter_for(before).asks:
        raise UnprocessableContent("tick at least one column that somebody may know of a person")
    changes: dict[str, object] = {"purpose": purpose_state.model_dump()}
    scenario = validate_form(ScenarioState, _parse_scenario_form(form, before))
    changes["scenario"] = scenario.model_dump()
    if "person" in form and not adapter_for(before).parts:
        changes["person"] = _parse_person(form, before)
    state = project.change(**changes)
    if state.person != before.person:
        visit.start(project, "look")
    advice = project.result("advice")
    if advice is None or project.is_stale(state) or not advice["ended"]:
        project.change(selected=[])
        visit.start(project, "advise", seconds=visit.seconds)
    return redirect(visit, f"p/{project.id}/candidates")


def _parse_person(form: Mapping[str, object], state: ProjectState) -> str | None:
    person = str(form.get("person") or "")
    if person and person not in state.roles:
        raise NotFound
    return person or None


def _parse_scenario_form(form: Mapping[str, object], state: ProjectState) -> dict[str, object]:
    """What is known roughly, and the limits; an empty field: the recipient's convention."""
    allowed = {code for choices in ROUGH_CHOICES.values() for code in choices}
    roughly = {
        name: str(code)
        for number, name in enumerate(state.roles)
        if (code := form.get(f"roughly-{number}")) in allowed
    }
    return {
        "roughly": roughly,
        "at_once": form.get("at_once") or None,
        "population": form.get("population") or None,
        "identified": _parse_share(form.get("identified")),
        "guessed_right": _parse_share(form.get("guessed_right")),
        "smallest_class": form.get("smallest_class") or None,
    }


def _parse_share(field: object) -> float | str | None:
    return None if field in (None, "") else _parse_percent(str(field))


def _parse_purpose_form(form: Mapping[str, object]) -> dict[str, object]:
    """The form's fields as answers; an empty field of an expert means: as the recipient says."""
    answers: dict[str, object] = {
        "recipient": form.get("recipient"),
        "known": as_list(form.get("known")),
        "keep": as_list(form.get("keep")),
        "predict": form.get("predict") or None,
        "tables": [names for n in range(MAX_TABLES) if (names := as_list(form.get(f"table-{n}")))],
        "k": form.get("k") or None,
        "models": _parse_models(form),
    }
    share = form.get("suppression")
    if share not in (None, ""):
        answers["suppression"] = _parse_percent(str(share))
    return answers


def _parse_models(form: Mapping[str, object]) -> list[str] | None:
    """The models whose number was given, and those that only a recipe offers."""
    others = [model.strip() for model in str(form.get("models") or "").split(";") if model.strip()]
    given = [(name, str(form.get(f"model-{name}") or "").strip()) for name in MODEL_CHOICES]
    return [f"{name}={number}" for name, number in given if number] + others or None


def _parse_percent(text: str) -> float | str:
    try:
        return float(text) / 100
    except ValueError:
        return text  # the model refuses it
