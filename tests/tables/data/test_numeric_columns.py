"""Very large numbers are scaled before they are added, squared or subtracted."""

import numpy as np
import polars as pl
import pytest

from tokumei.core.errors import InputError
from tokumei.tables.data.numeric_columns import (
    is_number_column,
    missing_mask,
    require_finite,
    scale_for_distances,
    scale_for_squares,
    scale_for_sums,
)

LARGEST = np.finfo(float).max


def test_distances_of_the_largest_numbers_are_finite() -> None:
    small = np.array([1.0, 3.0])
    assert scale_for_distances(small)[0] is small
    low, high = scale_for_distances(np.array([-LARGEST]), np.array([LARGEST]))
    assert np.isfinite(high - low).all()
    assert high == LARGEST / 4


def test_sums_of_distances_are_finite_and_exact() -> None:
    low, high = np.full(5, -LARGEST), np.full(5, LARGEST)
    (low_scaled, high_scaled), unit = scale_for_sums(low, high, terms=5)
    assert np.isfinite((high_scaled - low_scaled).sum())
    assert (high_scaled * unit == high).all()
    assert scale_for_sums(np.array([7.0]), terms=5)[1] == 1.0


def test_squares_are_finite_column_by_column() -> None:
    scaled = scale_for_squares(np.array([[1e200, 2.0], [-5e199, 4.0]]))
    assert scaled.tolist() == [[1.0, 2.0], [-0.5, 4.0]]


def test_a_figure_beyond_all_numbers_is_refused() -> None:
    assert require_finite(1.5, "S1") == 1.5
    with pytest.raises(InputError, match="S1: "):
        require_finite(float("inf"), "S1")


def test_ranges_are_numbers_in_the_release_only() -> None:
    numbers, ranges = pl.Series(["1", None, "2.5"]), pl.Series(["1-3", "1-3", None])
    assert is_number_column(numbers)
    assert is_number_column(numbers, ranges)
    assert not is_number_column(pl.Series(["1", "a"]))
    assert not is_number_column(pl.Series([None, None], dtype=pl.String))


def test_missing_cells_are_marked_by_column() -> None:
    frame = pl.DataFrame({"a": [1, None], "b": [None, None], "c": [1, 2]})
    assert missing_mask(frame, ["c", "a"]).tolist() == [[False, False], [False, True]]
    assert missing_mask(frame, []).shape == (2, 0)
