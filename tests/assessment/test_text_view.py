"""The text of an assessment: the sentence to sign, then the figures."""

from __future__ import annotations

import polars as pl
import pytest
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE, open_frames

from tokumei.assessment.assess import assess_opened
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.text_view import describe_assessment, verdict_sentence
from tokumei.core.language import language_context
from tokumei.core.scenario import Scenario

FRAME = pl.DataFrame({"age": AGES, "amount": range(10)})


def assess(recipient: str = "partner", **roles: object) -> Assessment:
    release = FRAME.with_columns(age=pl.Series(CLASSES_OF_FIVE))
    opened = open_frames(FRAME, release, **({"qi": ["age"]} | roles))
    return assess_opened(opened, Scenario.for_recipient(recipient), remedies=False)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            assess(),
            "Fits the scenario for the partner: of 10 rows, 0 can be identified and 20 % are "
            "guessed right on average by age: within the limits.",
        ),
        (
            assess("public"),
            "Does not fit the scenario for the public: 10 of 10 rows can be identified by age, "
            "amount; at most 0 % may be (amount alone: 10).",
        ),
    ],
)
def test_the_sentence_to_sign(found: Assessment, sentence: str) -> None:
    assert verdict_sentence(found).show("en") == sentence


def test_a_verdict_that_cannot_be_told_shows_no_rates() -> None:
    with language_context("en"):
        text = describe_assessment(assess(qi=[]))
    assert "It cannot be told whether this fits the scenario for the partner: " in text
    assert "Who could find whom" not in text
    assert text.count("it is not stated what the recipient may know") == 1


def test_figures_stand_in_columns() -> None:
    with language_context("en"):
        lines = describe_assessment(assess()).splitlines()
    (attacker,) = (line for line in lines if line.startswith("links by age"))
    (bound,) = (line for line in lines if line.startswith("holds the whole original"))
    assert attacker.split() == [
        "links",
        "by",
        "age",
        "0",
        "20",
        "%",
        "5.7",
        "%–51",
        "%",
        "10",
        "%",
        "5",
        "exact",
    ]
    assert bound.split()[4:7] == ["10", "100", "%"]
    (age,) = (line for line in lines if line.startswith("age "))
    assert age.split() == [
        "age",
        "made",
        "coarser",
        "71.4",
        "%",
        "0",
        "%",
    ]  # 4 of 14 years are lost: 10 / 14
