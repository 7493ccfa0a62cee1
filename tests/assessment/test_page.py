"""The hand-over report of one release: its figures are the assessment's, in every language."""

from __future__ import annotations

from html.parser import HTMLParser

import polars as pl
import pytest
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE, open_frames

from tokumei.assessment.assess import assess_opened
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.opened_release import OpenedRelease
from tokumei.assessment.page import list_attackers, render_assessment_page
from tokumei.core.formatting import format_percent
from tokumei.core.scenario import Scenario


def _assess(recipient: str, **scenario: object) -> Assessment:
    original = pl.DataFrame({"age": AGES, "amount": range(100, 1100, 100)})
    released = original.with_columns(age=pl.Series(CLASSES_OF_FIVE))
    opened = open_frames(original, released, qi=["age"])
    return assess_opened(opened, Scenario.for_recipient(recipient, **scenario))


def test_first_screen_has_verdict_figures_and_what_to_do() -> None:
    found = _assess("public")
    page = render_assessment_page(found, release="y.csv")
    hero = page[page.index("<main") : page.index('id="who"')]
    assert 'data-verdict="does-not-fit"' in hero
    assert "Does not fit the scenario for the public" in hero
    assert "提供先「一般公開」のシナリオに適合しません" in hero
    assert "y.csv" in hero
    questions = ("What does this rest on?", "What is the worst that can happen?")
    for text in (*questions, "What would help?"):
        assert text in hero
    assert "10 of 10 rows can be identified" in hero
    first = found.remedies[0]
    assert first.what.show("en")[1:] in hero
    assert first.kept is not None
    assert format_percent(first.kept, "en").replace(" %", "\u00a0%") in hero


def test_every_attacker_and_the_bound_are_in_the_table() -> None:
    found = _assess("partner")
    page = render_assessment_page(found)
    assert [bar.is_bound for bar in list_attackers(found)] == [False, True]
    assert page.count("<tr data-attacker=") == 2
    assert "links by age" in page
    assert "does not already know amount of anybody" in page


def test_a_release_without_link_shows_no_rate() -> None:
    frame = pl.DataFrame({"age": AGES})
    opened = open_frames(frame, frame, qi=["age"])
    unlinked = OpenedRelease(opened.original, opened.released, None)
    page = render_assessment_page(assess_opened(unlinked, Scenario()))
    assert 'id="who"' not in page
    assert "data-figure=" not in page
    assert "Who is found cannot be computed without the link" in page


@pytest.mark.parametrize("recipient", ["public", "partner", "inside"])
def test_the_page_is_whole_and_asks_nothing_of_the_net(recipient: str) -> None:
    page = render_assessment_page(_assess(recipient), lang="ja")
    assert page.startswith('<!doctype html>\n<html lang="ja">')
    tags = _OpenTags()
    tags.feed(page)
    assert tags.open == []
    assert "http" not in page.replace("http-equiv", "")


def test_names_of_columns_are_no_markup() -> None:
    frame = pl.DataFrame({"<b>age</b>": [1, 2, 3]})
    found = assess_opened(open_frames(frame, qi=["<b>age</b>"]), Scenario())
    assert "<b>age" not in render_assessment_page(found)


class _OpenTags(HTMLParser):
    """Which elements were opened and not closed."""

    NEVER_CLOSED = frozenset({"meta", "br", "link", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.NEVER_CLOSED:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
