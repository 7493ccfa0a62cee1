"""Tests of tokumei.tables.attackers.nearest_rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.boxes import number_boxes
from support.small_tables import Small
from tables.attackers.attackers_reference_helpers import (
    ANY,
    NO_SA,
    OPTIONS,
    assert_chances,
    attack,
    euclid,
)
from tables.attackers.missing_values_helpers import answers
from tokumei.tables.attackers import nearest_rows
from tokumei.tables.data.guess import Guess


@settings(max_examples=50)
@given(st.one_of(ANY, NO_SA))
def test_searching_whole_sets_or_small_chunks_gives_the_same(case: Small) -> None:
    """Sets beyond a size are searched by a tree, others pair by pair in chunks."""
    with pytest.MonkeyPatch.context() as patch:
        for large, pairs in ((0, 5), (10**9, 1), (10**9, 3)):
            patch.setattr(nearest_rows, "LARGE", large)
            patch.setattr(nearest_rows, "PAIRS_PER_CHUNK", pairs)
            for options in OPTIONS:
                reference = euclid(case, None, **options)
                assert_chances(attack("EUC2", case, **options), case, reference)


def squared(one: np.ndarray, other: np.ndarray) -> float:
    """Gower's way: by what both have; a gap on one side counts 1, on both nothing."""
    total = 0.0
    for a, b in zip(one, other, strict=True):
        if np.isnan(a) and np.isnan(b):
            continue
        total += 1.0 if np.isnan(a) or np.isnan(b) else (a - b) ** 2
    return total


def by_loop(known: np.ndarray, released: np.ndarray) -> list[set[int]]:
    found = []
    for row in released:
        far = [squared(one, row) for one in known]
        found.append({i for i, d in enumerate(far) if d <= min(far) * (1 + 1e-9) ** 2})
    return found


def with_holes(rng: np.random.Generator, rows: int, columns: int, share: float) -> np.ndarray:
    values = rng.integers(0, 6, (rows, columns)) / 2
    return np.where(rng.random((rows, columns)) < share, np.nan, values)


@pytest.mark.parametrize("large", [0, nearest_rows.LARGE])
@pytest.mark.parametrize("columns", [1, 2, 4])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_the_nearest_rows_are_those_of_a_plain_loop(monkeypatch, large, columns, share) -> None:
    monkeypatch.setattr(nearest_rows, "LARGE", large)
    rng = np.random.default_rng(columns)
    for _ in range(5):
        known, released = (with_holes(rng, n, columns, share) for n in (25, 18))
        everyone = Guess(np.zeros(18, np.int64), np.array([0, 25]), np.arange(25))
        found = number_boxes(known, released, released).nearest(everyone)
        assert answers(found) == by_loop(known, released)
