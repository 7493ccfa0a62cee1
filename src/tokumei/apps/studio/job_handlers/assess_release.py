"""Assesses releases under the project's scenario, and keeps what pages show of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.apps.studio.adapters.base import LoadedAdapter
from tokumei.apps.studio.scenario import to_scenario
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import ProjectState
from tokumei.apps.studio.store.records import AssessmentRecord
from tokumei.core.catalogs import available_languages
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.assessment.assessment import Assessment

NOT_ASSESSED = Message(
    "It cannot be told whether this fits: data of this kind are not assessed in the studio yet."
)
HOLDS_EVERYTHING = Message("holds the whole original")


def assess_release(
    project: Project,
    state: ProjectState,
    adapter: LoadedAdapter,
    source: object,
    release: object,
    id: str,
    *,
    remedies: bool = False,
) -> None:
    """Assess the release of a candidate and write the result; with `remedies` all of it."""
    if not remedies and project.assessment(state, id) is not None:
        return
    assessment = adapter.assess(source, release, to_scenario(state), remedies=remedies)
    exposed = adapter.list_exposed(source, release) if remedies else []
    record = to_record(assessment, state, full=remedies, exposed=exposed)
    project.write_result(f"assessments/{id}", record)


def to_record(
    assessment: Assessment | None,
    state: ProjectState,
    *,
    full: bool = True,
    exposed: list[dict[str, object]] | None = None,
) -> AssessmentRecord:
    """An assessment as pages show it, in every language."""
    from tokumei.assessment.text_view import verdict_sentence

    if assessment is None:
        sentence, document, names = NOT_ASSESSED, None, []
    else:
        sentence, document = verdict_sentence(assessment), assessment.to_dict()
        names = [attacker.name.texts() for attacker in assessment.attackers]
    return {
        "inputs": state.inputs("candidates"),
        "document": document,
        "sentence": sentence.texts(),
        "names": names,
        "bound": HOLDS_EVERYTHING.texts(),
        "page": {} if assessment is None or not full else _render_pages(assessment),
        "full": full,
        "exposed": exposed or [],
    }


def _render_pages(assessment: Assessment) -> dict[str, str]:
    """The hand-over report, opening in each language."""
    from tokumei.assessment.page import render_assessment_page

    return {
        language: render_assessment_page(assessment, lang=language)
        for language in available_languages()
    }
