"""The first screen answers an officer's four questions, in every language, in few lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE

import tokumei as tk
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.first_screen import answer_questions, choose_remedies
from tokumei.assessment.text_view import describe_assessment
from tokumei.core.language import use_language

PEOPLE = pl.DataFrame(
    {
        "age": AGES * 4,
        "sex": ["f"] * 40,
        "amount": [10.0 + 3.5 * i for i in range(40)],
        "illness": ["flu", "gout"] * 20,
    }
)
CLASSES = PEOPLE.with_columns(age=pl.Series(CLASSES_OF_FIVE * 4))


def assess(release: pl.DataFrame = CLASSES, **options: Any) -> Assessment:
    import numpy as np

    link = options.pop("link", np.arange(release.height))
    return tk.assess(
        PEOPLE, release, **({"link": link, "qi": ["age", "sex"], "sa": ["illness"]} | options)
    )


def answers(found: Assessment, code: str, lang: str = "en") -> str:
    (question,) = (question for question in answer_questions(found) if question.code == code)
    return " ".join(answer.show(lang) for answer in question.answers)


@pytest.mark.parametrize(
    ("options", "word", "english", "japanese"),
    [
        ({}, "fits", "Yes.", "はい。"),
        ({"recipient": "public"}, "does-not-fit", "No, not as it is.", "いいえ、"),
        ({"link": None}, "unknown", "Not before this is settled.", "まだ判断できません。"),
    ],
)
def test_the_first_answer_is_the_verdict(
    options: dict[str, Any], word: str, english: str, japanese: str
) -> None:
    found = assess(**options)
    assert found.verdict.word == word
    assert answers(found, "may-go").startswith(english)
    assert answers(found, "may-go", "ja").startswith(japanese)
    assert found.verdict.reason.show("en")[5:20] in answers(found, "may-go")


def test_assumptions_and_limits_are_named() -> None:
    told = answers(assess(), "rests-on")
    assert "The recipient may know age, sex of everybody." in told
    assert "does not already know amount, illness of anybody" in told
    assert "at most 20 % guessed right, at least 5 rows alike" in told


def test_the_worst_case_has_the_figures_of_the_document() -> None:
    found = assess()
    assert found.bound is not None
    told = answers(found, "worst")
    assert f"{found.bound.identified} of 40 rows can be identified" in told
    assert "0 of 40 rows can be identified, and a guess is right in 5 % of cases" in told
    unknown = assess(link=None)
    assert "%" not in answers(unknown, "worst")


def test_what_helps_is_the_first_remedy_that_fits() -> None:
    found = assess(recipient="public")
    remedy = next(remedy for remedy in found.remedies if remedy.verdict == "fits")
    told = answers(found, "help")
    assert remedy.what.show("en")[1:] in told
    assert "it fits then" in told
    assert "nothing needs to be changed" in answers(assess(), "help").lower()


def test_another_recipient_is_among_what_helps() -> None:
    """However many changes of cells keep more, and one change of a kind is enough."""
    found = assess(recipient="public")
    helpful = [remedy for remedy in found.remedies if remedy.verdict == "fits"]
    assert helpful[-1].action == "scenario"
    same = [replace(helpful[0]) for _ in range(5)]
    others = [replace(helpful[0], action=f"x{number}") for number in range(5)]
    many = [*same, *others, helpful[-1]]
    chosen = [remedy.action for remedy in choose_remedies(many)]
    assert chosen == [helpful[0].action, "x0", "scenario"]
    assert choose_remedies([]) == []


def test_values_that_become_certain_are_told_with_what_helps() -> None:
    release = CLASSES.with_columns(age=pl.lit("*"))
    same = PEOPLE.with_columns(illness=pl.lit("flu"))
    found = tk.assess(
        *(same, release.with_columns(illness=pl.lit("flu"))),
        link=range(40),  # type: ignore[arg-type]
        qi=["age", "sex"],
        sa=["illness"],
    )
    assert found.verdict.word == "fits"
    assert "illness becomes known for certain for 40 rows" in answers(found, "worst")
    assert "l-diversity" in answers(found, "help")


def test_claims_that_do_not_hold_come_first() -> None:
    found = assess()
    verdict = replace(found.verdict, word="does-not-fit", code="claim")
    told = answers(replace(found, verdict=verdict), "help")
    assert "the claim has to hold first" in told


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("recipient", ["public", "partner", "inside"])
def test_all_of_it_stands_in_the_first_lines(recipient: str, lang: str) -> None:
    use_language(lang)
    try:
        found = assess(recipient=recipient)
        first = "\n".join(describe_assessment(found).splitlines()[:25])
        for question in answer_questions(found):
            assert question.question.show(lang) in first
            assert all(answer.show(lang) in first for answer in question.answers)
    finally:
        use_language(None)
