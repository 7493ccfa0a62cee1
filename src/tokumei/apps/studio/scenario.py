"""The scenario of a project: who gets the release, and what they may know of a person."""

from __future__ import annotations

from tokumei.apps.studio.adapters.base import adapter_for
from tokumei.apps.studio.command_equivalents import to_purpose
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.assessment.opened_release import NO_PERSON
from tokumei.core.scenario import ColumnKnowledge, Scenario

LIMIT_NAMES = ("identified", "guessed_right", "smallest_class")


def to_scenario(state: ProjectState) -> Scenario:
    """The scenario of the decisions in force; what nobody answered is the recipient's convention.

    Anybody (public) may know every column that leaves; others those that are ticked.
    """
    answers, purpose = state.scenario, to_purpose(state)
    limits = {name: getattr(answers, name) for name in LIMIT_NAMES}
    return Scenario.for_recipient(
        purpose.recipient,
        knows=list_knowledge(state),
        limits={name: limit for name, limit in limits.items() if limit is not None},
        at_once=answers.at_once,
        population=answers.population,
        knows_membership="journalist" if answers.population else "prosecutor",
        person=None if adapter_for(state).parts else state.person or NO_PERSON,
        keep=dict(purpose.settings.weights),
    )


def list_knowledge(state: ProjectState) -> list[ColumnKnowledge] | None:
    """The columns that the recipient may know, and how exactly; None: all that leave."""
    kind = adapter_for(state)
    if "known" not in kind.asks or state.purpose.recipient == "public":
        return None
    ticked = kind.usual(state) if state.purpose.known is None else {*state.purpose.known}
    return [
        _knowledge(name, state.scenario.roughly.get(name))
        for name in kind.purpose_columns(state)
        if name in ticked
    ]


def _knowledge(column: str, roughly: str | None) -> ColumnKnowledge:
    return ColumnKnowledge.parse(f"{column}~{roughly}") if roughly else ColumnKnowledge(column)
