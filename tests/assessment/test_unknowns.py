"""What is missing, and whether it stands against a favourable verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from tests.assessment.small_releases import AGES, figures, open_frames

from tokumei.assessment.link_check import LinkCheck, check_link
from tokumei.assessment.unknowns import find_doubts, find_missing_input
from tokumei.core.scenario import ColumnKnowledge, Scenario

FRAME = pl.DataFrame({"uid": list("aabbccddee"), "age": AGES, "sex": ["f"] * 5 + ["m"] * 5})
PARTNER = Scenario.for_recipient("partner")
AGE = [ColumnKnowledge("age")]


def missing(opened: Any, knows: Any = AGE) -> list[str]:
    check = None if opened.link is None else check_link(opened.columns, opened.link)
    return [found.code for found in find_missing_input(opened, check, knows)]


def test_link_and_knowledge_must_be_given() -> None:
    opened = open_frames(FRAME)
    assert missing(opened) == []
    assert missing(replace(opened, link=None), None) == ["no-link", "no-knowledge"]
    assert missing(open_frames(FRAME, link=list(range(9, -1, -1)))) == ["link-contradicts"]


def test_an_identifier_that_repeats_leaves_open_who_is_a_person() -> None:
    assert missing(open_frames(FRAME, ids=["uid"])) == ["person-unclear"]
    assert missing(open_frames(FRAME, ids=["uid"], person="none")) == []
    assert missing(open_frames(FRAME, ids=["uid"], person="uid")) == []
    unique = FRAME.with_columns(uid=pl.Series(list("abcdefghij")))
    assert missing(open_frames(unique, ids=["uid"])) == []


@pytest.mark.parametrize(("column", "blocks"), [("sex", True), ("age", False)])
def test_unread_cells_stand_against_it_if_the_column_is_known(column: str, blocks: bool) -> None:
    release = FRAME.with_columns(sex=pl.Series(["woman"] * 4 + ["person"] * 6))
    opened = open_frames(FRAME, release, qi=["age", "sex"])
    check = LinkCheck({}, {}, frozenset(), 10)
    (doubt,) = find_doubts(opened, PARTNER, [ColumnKnowledge(column)], [figures()], check)
    assert (doubt.code, doubt.columns, doubt.blocks) == ("unreadable-cells", ("sex",), blocks)


@pytest.mark.parametrize(
    ("rows", "all_fit", "methods", "is_doubtful"),
    [
        (6, (1, 10.0), (), True),  # more than 0.5 % of 1000 rows, and somebody is found
        (5, (1, 10.0), (), False),
        (6, (0, 20.0), (), False),  # within the limits even if all fit
        (6, (0, 21.0), (), True),
        (6, (1, 10.0), ("swap",), False),
    ],
)
def test_contradictions_count_if_they_may_hide_people(
    rows: int, all_fit: tuple[float, float], methods: tuple[str, ...], is_doubtful: bool
) -> None:
    opened = replace(open_frames(FRAME), methods=methods)
    check = LinkCheck({"age": 0.9}, {"age": rows}, frozenset(), 1000)
    found = find_doubts(opened, PARTNER, AGE, [figures(if_all_fit=all_fit)], check)
    assert [doubt.code for doubt in found] == ["link-doubtful"] * is_doubtful


def test_a_sample_may_be_too_small() -> None:
    attacker = figures(targets=20, is_sampled=True)
    check = LinkCheck({}, {}, frozenset(), 10)
    (doubt,) = find_doubts(open_frames(FRAME), PARTNER, AGE, [attacker], check)
    assert (doubt.code, doubt.blocks) == ("sampled", True)
