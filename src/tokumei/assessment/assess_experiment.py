"""Assesses the releases of a recipe, so that its report and its folder show the verdict.

    experiment = assess_experiment(run_recipe(recipe, seed=1))
    experiment.assessed["five alike"].view.word

Remedies are measured where there is one release; several are compared with each other.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TypeVar

from tokumei.assessment.assess_release import assess_release
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.page import render_assessment_page, render_sections
from tokumei.assessment.verdict_view import describe_in_one_line, view_verdict
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.recipe import Experiment
from tokumei.pages.verdict_view import AssessedRelease

AnyExperiment = TypeVar("AnyExperiment", bound=Experiment)


def assess_experiment(experiment: AnyExperiment) -> AnyExperiment:
    """The same experiment with an assessment of each of its releases."""
    releases = experiment.releases_to_assess()
    assessed = dict[str, AssessedRelease]()
    for item in track_progress(releases, Message("assessments")):
        assessment = assess_release(item.source, item.release, remedies=len(releases) == 1)
        if assessment is not None:
            assessed[item.name] = show_assessment(assessment, item.name)
    return replace(experiment, assessed=assessed)


def show_assessment(assessment: Assessment, name: str) -> AssessedRelease:
    """An assessment as pages and files take it."""
    return AssessedRelease(
        view=view_verdict(assessment, name),
        document=assessment.to_dict(),
        sections=render_sections(assessment),
        page=partial(_render, assessment, name),
        line=describe_in_one_line(assessment),
    )


def _render(assessment: Assessment, name: str, lang: Language) -> str:
    return render_assessment_page(assessment, release=name, lang=lang)
