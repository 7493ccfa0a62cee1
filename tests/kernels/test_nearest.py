"""Nearest rows of mixed tables, against a full table of distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.kernels.loading import load_uncompiled
from tokumei.kernels.nearest import MixedPoints, find_nearest, find_within_reach, shuffled_order
from tokumei.kernels.nearest.distance_bounds import build_marks


def points(seed: int, rows: int, columns: int = 3, axes: int = 2) -> MixedPoints:
    """Few values, so that many distances are equal."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (rows, columns)).astype(np.int32)
    numbers = rng.integers(0, 4, (rows, axes)).astype(np.float64)
    return MixedPoints(codes, numbers, np.array([0.5, 2.0])[:axes])


def squares(one: MixedPoints, other: MixedPoints) -> np.ndarray:
    unlike = (one.codes[:, None] != other.codes[None]).sum(axis=2)
    gaps = (one.numbers[:, None] - other.numbers[None]) ** 2
    return np.asarray(unlike + (one.weights * gaps).sum(axis=2))


@given(seed=st.integers(0, 10**6), rows=st.integers(1, 12), others=st.integers(1, 20))
@settings(max_examples=60)
def test_the_nearest_come_first_and_of_equals_the_first(seed: int, rows: int, others: int) -> None:
    one, other = points(seed, rows), points(seed + 1, others)
    table = squares(one, other)
    order = np.argsort(table, axis=1, kind="stable")[:, :5]
    found, far = find_nearest(one, other, 5)
    assert (found == order).all()
    assert far**2 == pytest.approx(np.take_along_axis(table, order, axis=1))


@given(seed=st.integers(0, 10**6), rows=st.integers(1, 12), others=st.integers(1, 20))
@settings(max_examples=60)
def test_all_within_reach_are_listed(seed: int, rows: int, others: int) -> None:
    one, other = points(seed, rows), points(seed + 1, others)
    table = squares(one, other)
    reach = np.sqrt(np.sort(table, axis=0)[rows // 2])
    first, found, _ = find_within_reach(one, other, reach)
    for row in range(rows):
        listed = found[first[row] : first[row + 1]]
        assert listed.tolist() == np.flatnonzero(table[row] <= reach**2 + 1e-9).tolist()


@pytest.mark.parametrize(("columns", "values"), [(4, 3), (2, 1000), (300, 2)])
def test_marks_that_are_equal_hide_no_difference(columns: int, values: int) -> None:
    """More rows than a strip, more values than a byte has, more columns than have marks."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, values, (1400, columns)).astype(np.int32)
    both = MixedPoints(codes, rng.integers(0, 3, (1400, 1)).astype(np.float64), np.ones(1))
    one, other = both.take(np.arange(60)), both.take(np.arange(60, 1400))
    table = squares(one, other)
    order = np.argsort(table, axis=1, kind="stable")[:, :5]
    found, far = find_nearest(one, other, 5)
    assert (found == order).all()
    first, listed, _ = find_within_reach(one, other, np.full(1340, far[:, -1].max()))
    assert len(listed) == (table <= far.max() ** 2 + 1e-9).sum() == first[-1]


def test_the_source_as_python_gives_the_same() -> None:
    one, other = points(1, 20), points(2, 30)
    found, far = np.empty((20, 4), np.int32), np.empty((20, 4))
    compiled = find_nearest(one, other, 4)
    order = shuffled_order(30)
    other = other.take(order)
    marks = build_marks(*one[:2], *other)
    load_uncompiled("nearest").nearest(*one[:2], *other, *marks, order, 0, 20, found, far)
    assert (found == compiled[0]).all()
    assert (np.sqrt(far) == compiled[1]).all()


def test_rows_need_not_have_columns_of_both_kinds() -> None:
    one = points(1, 5, columns=0, axes=1)
    assert find_nearest(one, one, 1)[1].max() == 0
    other = points(1, 5, columns=2, axes=0)
    assert find_nearest(other, other, 1)[1].max() == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p._replace(weights=np.ones(2)), "same columns and weights"),
        (lambda p: points(3, 4, columns=2), "same columns"),
        (lambda p: p._replace(numbers=p.numbers * np.nan), "finite"),
        (lambda p: p.take(np.zeros(0, np.int64)), "nobody"),
        (lambda p: p._replace(codes=p.codes.astype(np.int64)), "int32"),
    ],
)
def test_wrong_arrays_are_refused(change, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        find_nearest(points(1, 3), change(points(2, 4)), 1)


@pytest.mark.parametrize("columns", [0, 3, 20, 70, 249])
def test_marks_of_numbers_never_say_too_much(columns: int) -> None:
    """Gaps at and around those that marks tell of, huge numbers and such with a far outlier."""
    rng = np.random.default_rng(columns)
    steps = rng.integers(0, 9, (700, 1)) / 4
    huge = 1e15 + rng.integers(0, 9, (700, 1))
    tail = np.exp(3 * rng.normal(size=(700, 1)))
    codes = rng.integers(0, 2, (700, columns)).astype(np.int32)
    both = MixedPoints(codes, np.hstack([steps, huge, tail]), np.array([1.0, 0.3, 1 / 900]))
    one, other = both.take(np.arange(40)), both.take(np.arange(40, 700))
    marks, table = build_marks(*one[:2], *other), squares(one, other)
    outside = (marks.others.T[None] - marks.low[:, None]).astype(np.uint8) > marks.span[:, None]
    told = (outside * marks.costs.astype(np.int64)).sum(axis=2)
    assert told.max() <= 250
    assert (told <= marks.parts * table).all()
    assert (told > 0).mean() > 0.5
    assert (find_nearest(one, other, 7)[0] == np.argsort(table, axis=1, kind="stable")[:, :7]).all()
