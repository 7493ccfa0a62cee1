"""Tests of tokumei.core.measure."""

from __future__ import annotations

from typing import Any

import pytest

from core.described_helpers import EVERYTHING, in_both
from tokumei.core.measure import Goal, Limits, Score


@pytest.mark.parametrize(("part", "kind"), [one for one in EVERYTHING if "-measures-" in one.id])
def test_a_measure_can_be_read(part: str, kind: Any) -> None:
    assert kind.formula
    assert kind.unit.show("en")
    assert kind.unit.show("ja")
    low, high = kind.bounds
    assert low < high
    assert kind.goal in Goal
    for score in (Score(0.37, sample=20), Score(0.37, baseline=0.2, sample=20)):
        text = kind.reading(score, 10.0)
        in_both(text)
        assert text.show("en").endswith(".")
        assert text.show("ja").endswith("。")
        assert "{" not in text.show("en") + text.show("ja")
    for other in (kind.unchanged, kind.heading, kind.caption):
        if other is not None:
            in_both(other)


@pytest.mark.parametrize(("part", "kind"), [one for one in EVERYTHING if "-measures-" in one.id])
def test_limits_go_the_way_of_the_goal(part: str, kind: Any) -> None:
    limits: Limits | None = kind.limits
    if limits is not None:
        assert (limits.good > limits.mid) is limits.more_is_better
        assert limits.more_is_better is (kind.goal is Goal.MAXIMIZE)
