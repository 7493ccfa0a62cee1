"""Generalized cells as text: reading, writing, covering."""

from __future__ import annotations

import datetime as dt
import math
from datetime import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.cell_notations import parse_number_or_day
from tokumei.core.generalized_cells import (
    CellShape,
    canonicalize_column,
    cell_bounds,
    is_generalized,
    parse_cell,
)


@pytest.mark.parametrize(
    ("text", "shape", "low", "high"),
    [
        ("*", CellShape.SUPPRESSED, -math.inf, math.inf),
        ("[1;5]", CellShape.INTERVAL, 1, 5),
        ("[-2.5;1e3]", CellShape.INTERVAL, -2.5, 1000),
        ("[3;3]", CellShape.INTERVAL, 3, 3),
        ("[2024-01-01;2024-01-03]", CellShape.INTERVAL, 738886, 738888),
        ("[2024-01-01 06:00:00;2024-01-01 18:00:00]", CellShape.INTERVAL, 738886.25, 738886.75),
        ("{a;b}", CellShape.SET, math.nan, math.nan),
        ("{1;5;3}", CellShape.SET, 1, 5),
        ("{a}", CellShape.SET, math.nan, math.nan),
        # plain: whatever does not parse
        ("5", CellShape.PLAIN, 5, 5),
        ("abc", CellShape.PLAIN, math.nan, math.nan),
        ("", CellShape.PLAIN, math.nan, math.nan),
        ("[5;1]", CellShape.PLAIN, math.nan, math.nan),
        ("[1;2;3]", CellShape.PLAIN, math.nan, math.nan),
        ("[a;b]", CellShape.PLAIN, math.nan, math.nan),
        ("[1;nan]", CellShape.PLAIN, math.nan, math.nan),
        ("[1;5", CellShape.PLAIN, math.nan, math.nan),
        ("{}", CellShape.PLAIN, math.nan, math.nan),
        ("**", CellShape.PLAIN, math.nan, math.nan),
    ],
)
def test_shapes_and_ends(text: str, shape: CellShape, low: float, high: float) -> None:
    cell = parse_cell(text)
    assert cell.shape is shape
    assert [cell.low, cell.high] == pytest.approx([low, high], nan_ok=True)
    assert cell.is_generalized == (shape is not CellShape.PLAIN)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("*", ["1", "abc", ""], []),
        ("[1;5]", ["1", "5", "2.5"], ["0", "5.1", "abc", ""]),
        ("[2024-01-01;2024-01-31]", ["2024-01-01", "2024-01-15"], ["2023-12-31", "x"]),
        ("{a;b}", ["a", "b"], ["c", "a;b", ""]),
        ("{1.0;2}", ["1", "2"], ["1.5"]),
        ("a", ["a"], ["b", "A"]),
        ("1.0", ["1"], ["2"]),
    ],
)
def test_covers(text: str, inside: list[str], outside: list[str]) -> None:
    cell = parse_cell(text)
    assert all(cell.covers(value) for value in inside)
    assert not any(cell.covers(value) for value in outside)


@given(st.integers(-99, 99), st.integers(0, 9), st.integers(-120, 120))
def test_a_written_interval_reads_back(low: int, width: int, value: int) -> None:
    cell = parse_cell(f"[{low};{low + width}]")
    assert cell.is_generalized
    assert cell.covers(str(value)) == (low <= value <= low + width)


@given(st.lists(st.text("abc12", min_size=1), min_size=1))
def test_a_written_set_reads_back(members: list[str]) -> None:
    cell = parse_cell("{" + ";".join(members) + "}")
    assert all(cell.covers(member) for member in members)
    assert not cell.covers("z")
    assert cell.is_generalized


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-1.5", -1.5),
        ("1970-01-01", 719163),
        ("1970-01-02 12:00:00", 719164.5),
        ("1970-01-01T00:00:00.000000", 719163),
        ("n/a", math.nan),
        ("2024-13-01", math.nan),
    ],
)
def test_number(text: str, value: float) -> None:
    assert parse_number_or_day(text) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([1, None, -3], ["1", None, "-3"]),
        ([1.0, 2.5, None, -0.0], ["1", "2.5", None, "0"]),
        (["1.0", "1", "-2.0", "1.50", "007", "a.0"], ["1", "1", "-2", "1.5", "007", "a.0"]),
        ([True, False], ["true", "false"]),
        ([dt.date(2024, 1, 2)], ["2024-01-02"]),
        ([float("inf"), float("nan"), 0.1], ["inf", "NaN", "0.1"]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ["b", "a"]),
    ],
)
def test_canonical_text(values: Any, texts: list[str | None]) -> None:
    assert canonicalize_column(pl.Series(values)).to_list() == texts


@given(st.lists(st.integers(-(2**53) + 1, 2**53 - 1)))
def test_whole_numbers_are_written_alike_in_every_type(values: list[int]) -> None:
    whole = pl.Series(values, dtype=pl.Int64)
    assert canonicalize_column(whole).equals(canonicalize_column(whole.cast(pl.Float64)))
    assert canonicalize_column(whole).equals(
        canonicalize_column(pl.Series([f"{v}.0" for v in values], dtype=pl.String))
    )


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_canonical_text_of_a_float_reads_back(values: list[float]) -> None:
    texts = canonicalize_column(pl.Series(values, dtype=pl.Float64))
    assert [float(text) for text in texts] == values


def test_which_cells_are_general() -> None:
    cells = ["1", "[1;2]", None, "*", "{a;b}", "[x", ""]
    wanted = [False, True, False, True, True, False, False]
    assert is_generalized(pl.Series(cells)).to_list() == wanted
    assert is_generalized(pl.Series(cells, dtype=pl.Categorical)).to_list() == wanted
    assert is_generalized(pl.Series([1, 2])).to_list() == [False, False]


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([1, None], [1, math.nan], [1, math.nan]),
        ([0.5], [0.5], [0.5]),
        (["[1;3]", "*", "{2;9}", "4", "x", None],
         [1, -math.inf, 2, 4, math.nan, math.nan],
         [3, math.inf, 9, 4, math.nan, math.nan]),
        ([dt.date(1970, 1, 1), None], [719163, math.nan], [719163, math.nan]),
        ([dt.datetime(1970, 1, 1, 12)], [719163.5], [719163.5]),
        ([None, None], [math.nan] * 2, [math.nan] * 2),
        ([True], [math.nan], [math.nan]),
    ],
)  # fmt: skip
def test_bounds(values: list[Any], low: list[float], high: list[float]) -> None:
    found_low, found_high = cell_bounds(pl.Series(values))
    np.testing.assert_array_equal(found_low, low)
    np.testing.assert_array_equal(found_high, high)


@given(st.lists(st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1)), min_size=1))
def test_times_have_the_same_number_as_their_text(values: list[dt.datetime]) -> None:
    series = pl.Series(values)
    from_text = [parse_number_or_day(text) for text in canonicalize_column(series)]
    assert cell_bounds(series)[0].tolist() == pytest.approx(from_text, abs=1e-9)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        # The same value by other types and spellings, as two files may hold it.
        (pl.Series(["1.50", "*"]), pl.Series([1.5, 2.0])),
        (pl.Series(["1e-07", "x"]), pl.Series([1e-7, 0.0])),
        (pl.Series(["2.0", "x"]), pl.Series([2, 3])),
        (pl.Series(["2001-01-01T03:00:00.000000"]), pl.Series([datetime(2001, 1, 1, 3)])),
        (pl.Series(["2001-01-01 03:00:00"]), pl.Series([datetime(2001, 1, 1, 3)])),
        (pl.Series(["0.1"]), pl.Series([Decimal("0.10")])),
    ],
)
def test_one_value_has_one_canonical_text(left: pl.Series, right: pl.Series) -> None:
    assert canonicalize_column(left)[0] == canonicalize_column(right)[0]


@pytest.mark.parametrize("text", ["007", "1.", ".5", "--1", "1_000", "2020-1-1", "NaN", ""])
def test_codes_and_other_text_stay_as_they_are(text: str) -> None:
    assert canonicalize_column(pl.Series([text]))[0] == text
