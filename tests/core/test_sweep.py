"""The front by its definition: nothing else is as good everywhere and better somewhere."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.sweep import pareto_front

costs = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 3)] * width), min_size=1, max_size=9)
)


def dominates(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    pairs = list(zip(a, b, strict=True))
    return all(x <= y for x, y in pairs) and any(x < y for x, y in pairs)


@given(costs)
def test_front(rows: list[tuple[int, ...]]) -> None:
    wanted = [not any(dominates(other, row) for other in rows) for row in rows]
    assert pareto_front(np.array(rows)).tolist() == wanted


def test_equal_releases_stand_together() -> None:
    assert pareto_front(np.array([[1, 2], [1, 2], [2, 1], [2, 2]])).tolist() == [
        True,
        True,
        True,
        False,
    ]
