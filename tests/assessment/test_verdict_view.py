"""The verdict as pages show it: its figures against their limits, and what to do."""

from __future__ import annotations

import polars as pl
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE, open_frames

from tokumei.assessment.assess import assess_opened
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.first_screen import answer_questions
from tokumei.assessment.verdict_view import describe_in_one_line, view_verdict
from tokumei.core.scenario import Scenario
from tokumei.pages.verdict_view import VerdictView

SAME_ILLNESS = ["flu"] * 5 + ["cold", "flu", "gout", "mumps", "cold"]


def _view(recipient: str, **options: object) -> tuple[Assessment, VerdictView]:
    original = pl.DataFrame({"age": AGES, "illness": SAME_ILLNESS})
    released = original.with_columns(age=pl.Series(CLASSES_OF_FIVE))
    opened = open_frames(original, released, qi=["age"], sa=["illness"])
    found = assess_opened(opened, Scenario.for_recipient(recipient, **options))
    return found, view_verdict(found)


def test_figures_are_the_assessments_and_stand_against_their_limits() -> None:
    found, view = _view("partner")
    assert view.word == found.verdict.word == "fits"
    assert {figure.name: figure.value.show("en") for figure in view.figures} == {
        "identified": "0",
        "guessed_right": "20 %",
        "smallest_class": "5",
        "kept": "85.7 %",
    }
    assert [figure.within for figure in view.figures] == [True, True, True, None]


def test_a_figure_beyond_its_limit_says_so() -> None:
    _, view = _view("partner", limits={"smallest_class": 6})
    figures = {figure.name: figure for figure in view.figures}
    assert view.word == "does-not-fit"
    assert figures["smallest_class"].within is False
    assert figures["smallest_class"].standing.show("en") == "beyond the limit"
    assert figures["identified"].within is True


def test_the_other_questions_are_those_of_the_first_screen() -> None:
    found, view = _view("partner")
    assert [answer.code for answer in view.answers] == ["rests-on", "worst", "help"]
    assert list(view.answers) == answer_questions(found)[1:]


def test_one_line_has_heading_and_reason() -> None:
    found, _ = _view("partner")
    line = describe_in_one_line(found).show("en")
    assert line.startswith("Fits the scenario for the partner. Of 10 rows, 0 can be identified")
