"""Tests of tokumei.apps.papers.verdicts."""

from __future__ import annotations

from typing import get_args

from tokumei.apps.papers.verdicts import (
    AGREEING,
    VERDICT_LABELS,
    VERDICT_MEANINGS,
    VERDICT_ORDER,
    BlockVerdict,
    gravest_verdict,
)


def test_every_verdict_has_a_place_a_word_and_a_meaning():
    assert set(VERDICT_ORDER) == set(VERDICT_LABELS) == set(VERDICT_MEANINGS)
    assert set(VERDICT_ORDER) == set(get_args(BlockVerdict))
    assert gravest_verdict([]) == "printed"
    assert gravest_verdict(["equal", "explained", "form"]) == "explained"
    assert {gravest_verdict([verdict, "slip"]) for verdict in AGREEING} == {"slip"}
