"""The verdict: claims first, then what is missing, then the limits in their order."""

from __future__ import annotations

from typing import Any

import pytest
from tests.assessment.small_releases import figures

from tokumei.assessment.verdict import (
    CheckedClaimLine,
    Evidence,
    ReleaseVerdict,
    Unknown,
    is_undecided_by_sampling,
    judge_release,
)
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario

PARTNER = Scenario.for_recipient("partner")
LOST = CheckedClaimLine("k-anonymity", False, {"k": 5})
HELD = CheckedClaimLine("k-anonymity", True, {"k": 5})
NO_LINK = Unknown("no-link", Message.verbatim("no link"), is_fundamental=True)
UNREAD = Unknown("unreadable-cells", Message.verbatim("what is this?"), ("sex",))
ASIDE = Unknown("combinations", Message.verbatim("not tried"), blocks=False)
FITTING = figures(guessed_right=20.0, smallest_class=5)
FOUND = figures(identified=2)


def judge(*attackers: Any, claims: Any = (), unknown: Any = (), telling: Any = None):
    evidence = Evidence("rows", 100, attackers, claims, unknown, telling)
    return judge_release(evidence, PARTNER)


def test_figures_at_the_limits_fit() -> None:
    found = judge(FITTING)
    assert (found.word, found.code, found.figure) == ("fits", "fits", pytest.approx(0.2))


@pytest.mark.parametrize(
    ("broken", "code", "figure", "limit"),
    [
        ({"identified": 1}, "identified", 0.01, 0.0),
        ({"guessed_right": 20.1}, "guessed-right", 0.201, 0.2),
        ({"smallest_class": 4}, "smallest-class", 4, 5),
        ({"identified": 1, "guessed_right": 90.0, "smallest_class": 1}, "identified", 0.01, 0.0),
        ({"guessed_right": 90.0, "smallest_class": 2}, "guessed-right", 0.9, 0.2),
    ],
)
def test_the_first_limit_that_is_broken_is_named(
    broken: dict[str, Any], code: str, figure: float, limit: float
) -> None:
    found = judge(figures(**broken))
    assert (found.word, found.code) == ("does-not-fit", code)
    assert (found.figure, found.limit) == (pytest.approx(figure), limit)
    assert (found.attacker, found.columns) == ("exact", ("age",))


def test_no_candidate_set_breaks_no_limit_of_its_size() -> None:
    assert judge(figures(smallest_class=None)).word == "fits"


@pytest.mark.parametrize(
    ("attackers", "given", "word", "code"),
    [
        ((FOUND,), {"claims": [HELD, LOST], "unknown": [NO_LINK]}, "does-not-fit", "claim"),
        ((FOUND,), {"unknown": [UNREAD, NO_LINK]}, "unknown", "no-link"),
        ((FITTING, FOUND), {"unknown": [UNREAD]}, "does-not-fit", "identified"),
        ((FITTING,), {"unknown": [ASIDE, UNREAD]}, "unknown", "unreadable-cells"),
        ((FITTING,), {"unknown": [ASIDE], "claims": [HELD]}, "fits", "fits"),
        ((FITTING,), {"claims": [CheckedClaimLine("other", None, {})]}, "fits", "fits"),
    ],
)
def test_what_decides_first(
    attackers: tuple[Any, ...], given: dict[str, Any], word: str, code: str
) -> None:
    found = judge(*attackers, **given)
    assert (found.word, found.code) == (word, code)


def test_the_reason_counts_and_names_the_telling_columns() -> None:
    found = judge(figures(identified=2, knows=("age", "sex")), telling=(("age",), 2))
    assert found.reason.show("en") == (
        "2 of 100 rows can be identified by age, sex; at most 0 % may be (age alone: 2)"
    )
    assert found.columns == ("age",)
    guessed = judge(figures(guessed_right=30.0, knows=("age", "sex")), telling=(("age",), 2))
    assert guessed.columns == ("age", "sex")


def test_the_document_has_the_deciding_figure() -> None:
    document = ReleaseVerdict(
        "does-not-fit", "identified", Message.verbatim("so"), 0.5, 0.0, "exact", ("age",)
    ).to_dict()
    assert document["verdict"] == "does-not-fit"
    assert document["deciding"] == {
        "figure": 0.5,
        "limit": 0.0,
        "attacker": "exact",
        "columns": ["age"],
    }


def test_a_sample_is_too_small_if_only_the_end_of_its_interval_breaks_a_limit() -> None:
    lenient = Scenario.for_recipient("partner", limits={"identified": 0.05})
    few = figures(targets=50, guessed_right=19.0, is_sampled=True)
    many = figures(total=100_000, targets=100_000, guessed_right=19_000.0, is_sampled=True)
    assert is_undecided_by_sampling(few, lenient)
    assert not is_undecided_by_sampling(many, lenient)
    assert not is_undecided_by_sampling(figures(targets=50, guessed_right=19.0), lenient)
