"""Class numbers are equal exactly where vectors are, within and between tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.data.codes import class_codes, joint_codes

row = st.tuples(
    st.none() | st.integers(0, 3),
    st.none() | st.sampled_from(["a", "b", "1"]),
    st.none() | st.sampled_from([0.5, 1.0]),
)
rows = st.lists(row, max_size=12)


def frame(given_rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    schema = {"i": pl.Int64, "t": pl.String, "r": pl.Float64}
    return pl.DataFrame(given_rows, schema=schema, orient="row")


@given(rows)
def test_equal_vectors_share_a_dense_number(given_rows: list[tuple[Any, ...]]) -> None:
    codes = class_codes(frame(given_rows), ["i", "t", "r"]).tolist()
    for i, left in enumerate(given_rows):
        for j, right in enumerate(given_rows):
            assert (codes[i] == codes[j]) == (left == right)
    assert set(codes) == set(range(len(set(given_rows))))


@given(rows, rows)
def test_numbers_are_comparable_between_tables_of_other_types(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]]
) -> None:
    """A column that became text through one generalized cell still matches its numbers."""
    texts = frame(right).with_columns(pl.col("i", "r").cast(pl.String))
    for other in (frame(right), texts, frame(right).with_columns(pl.col("i").cast(pl.Float64))):
        a, b = joint_codes(frame(left), other, ["i", "t", "r"])
        for i, x in enumerate(left):
            for j, y in enumerate(right):
                assert (a[i] == b[j]) == (x == y)


def test_no_columns_are_one_class() -> None:
    three = pl.DataFrame({"a": [1, 2, 3]})
    assert class_codes(three, []).tolist() == [0, 0, 0]
    assert [codes.tolist() for codes in joint_codes(three, three[:1], [])] == [[0, 0, 0], [0]]


@pytest.mark.parametrize(
    "values",
    [
        [True, False, None, True],
        pl.Series(["b", "a", None, "b"], dtype=pl.Categorical),
        pl.Series(["b", "a", None, "b"], dtype=pl.Enum(["b", "a"])),
        [float("nan"), 0.0, None, float("nan")],
    ],
)
def test_any_type_has_codes(values: Any) -> None:
    codes = class_codes(pl.DataFrame({"q": values}), ["q"]).tolist()
    assert codes[0] == codes[3]
    assert len(set(codes)) == 3


def test_many_wide_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(1)
    columns = {f"c{j}": rng.permutation(2000) for j in range(12)}
    assert len(set(class_codes(pl.DataFrame(columns), list(columns)).tolist())) == 2000
