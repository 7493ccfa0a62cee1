"""Tests of tokumei.apps.contest.services.score_visibility."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.contest.services.score_visibility import find_band


@given(st.floats(0, 1), st.lists(st.floats(0.001, 0.999), max_size=6, unique=True))
def test_bands_hold_their_values(value: float, edges: list[float]) -> None:
    low, high = find_band(value, edges)
    bounds = [0.0, *sorted(edges), 1.0]
    expected = [(a, b) for a, b in itertools.pairwise(bounds) if a <= value < b or b == 1 == value]
    assert [(low, high)] == expected
