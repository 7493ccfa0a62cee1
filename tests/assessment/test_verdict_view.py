"""The verdict as pages show it: its figures against their limits, and what to do."""

from __future__ import annotations

import polars as pl
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE, open_frames

from tokumei.assessment.assess import assess_opened
from tokumei.assessment.assessment import Assessment
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


def test_what_becomes_certain_belongs_to_the_worst_case() -> None:
    _, view = _view("partner")
    assert any("illness becomes known for certain for 5 rows" in m.show("en") for m in view.worst)
    assert not any("illness becomes" in m.show("en") for m in view.assumptions)


def test_actions_are_measured_remedies_where_it_does_not_fit() -> None:
    found, view = _view("public")
    helpful = [remedy for remedy in found.remedies if remedy.verdict == "fits"]
    named = [action.show("en") for action in view.actions]
    assert bool(helpful) == any("then it fits" in text for text in named)
    assert found.remedy_note is None or found.remedy_note.show("en")[1:] in " ".join(named)


def test_one_line_has_heading_and_reason() -> None:
    found, _ = _view("partner")
    line = describe_in_one_line(found).show("en")
    assert line.startswith("Fits the scenario for the partner. Of 10 rows, 0 can be identified")
