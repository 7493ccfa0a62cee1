"""Whoever compares what is near finds people whose numbers were moved a little."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
from tests.assessment.small_releases import open_frames

from tokumei.assessment.statistical_attack import attack_by_distance

FRAME = pl.DataFrame({"amount": [10.0, 100.0, 200.0, 400.0]})
NEAR = FRAME + 1


def test_the_nearest_is_taken() -> None:
    found = attack_by_distance(open_frames(FRAME, NEAR), ["amount"])
    assert found is not None
    assert (found.identified, found.guessed_right, found.confidently_wrong) == (4, 4, 0)
    assert (found.total, found.baseline, found.knows) == (4, 0.25, ("amount",))


def test_answers_that_are_mostly_wrong_identify_nobody() -> None:
    found = attack_by_distance(open_frames(FRAME, NEAR, link=[0, 2, 3, 1]), ["amount"])
    assert found is not None
    assert (found.identified, found.guessed_right) == (0, 1)


def test_without_a_link_or_knowledge_there_is_no_rate() -> None:
    opened = open_frames(FRAME, NEAR)
    assert attack_by_distance(opened, []) is None
    assert attack_by_distance(replace(opened, link=None), ["amount"]) is None
