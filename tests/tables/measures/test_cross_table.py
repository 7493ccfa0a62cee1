"""Tests of tokumei.tables.measures.cross_table."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from support.small_tables import Small
from tables.measures.measures_reference_samples import GENERAL, texts, u2, u3
from tokumei.tables.registry import measures


@given(case=GENERAL)
def test_cross_table_over_one_chosen_column(case: Small) -> None:
    one = Small(["q1"], case.sa, [r[1:] for r in case.original], [r[1:] for r in case.released], [])
    full = case.case(cross=("q1",))
    assert measures.build("U2").score(full).value == pytest.approx(u2(one))
    assert measures.build("U3").score(full).value == pytest.approx(u3(one))


@given(case=GENERAL)
def test_over_the_cells_of_the_release_alone(case: Small) -> None:
    """The slow way: a counter of cells, those that the release lost left out."""
    full = case.case()
    before, after = (
        Counter(texts(case, row) for row in rows) for rows in (case.original, case.released)
    )
    moved = [abs(before[cell] - count) for cell, count in after.items()]
    score = measures.build("U3", {"cells": "release"}).score(full)
    assert score.value == pytest.approx(sum(moved) / len(moved))
    assert score.sample == len(after)
    assert measures.build("U2", {"cells": "release"}).score(full).sample == len(after)
