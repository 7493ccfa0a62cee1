"""Tests of tokumei.apps.papers.agreement."""

from __future__ import annotations

import pytest

from tokumei.apps.papers.agreement import half_last_digit, judge_cell


@pytest.mark.parametrize(
    ("paper", "ours", "limit", "more", "verdict"),
    [
        (7, 7, 0.0, {}, "equal"),
        (7, 7.0, 0.0, {}, "equal"),
        ("a", "a", 0.0, {}, "equal"),
        ([1, 2], [1, 2], 0.0, {}, "equal"),
        (0.348, 0.3482, 0.0005, {}, "rounding"),
        (0.348, 0.35, 0.0005, {}, "differs"),
        (0.348, 0.35, 0.0005, {"explained": True}, "explained"),
        ("△", "○", 0.0, {}, "differs"),
        ("△", "○", 0.0, {"corrected": "○"}, "slip"),
        (0.583, 0.5582, 0.0005, {"corrected": 0.558, "explained": True}, "slip"),
        (0.583, 0.5689, 0.0005, {"corrected": 0.558}, "differs"),
        (True, 1, 0.0, {}, "differs"),
    ],
)
def test_a_cell(paper, ours, limit, more, verdict):
    assert judge_cell(paper, ours, limit, **more)[0] == verdict


@pytest.mark.parametrize(
    ("value", "decimals", "half"),
    [(7, None, 0.0), (7, 0, 0.5), (0.5, None, 0.05), (0.5, 3, 0.0005), (1.5e38, None, 0.0)],
)
def test_half_of_the_last_printed_digit(value, decimals, half):
    assert half_last_digit(value, decimals) == pytest.approx(half)
