"""Frequencies and recoding against a Counter, with missing values, in any row order."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.files.column_types import (
    decode_categories,
    encode_dictionary,
    is_dictionary_encoded,
)
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.protocol import RecodedCells, TupleCounts

rows = st.lists(
    st.tuples(
        st.none() | st.integers(-2, 2),
        st.none() | st.sampled_from(["b", "a", "あ", ""]),
        st.none() | st.sampled_from([0.5, -0.0, 0.0, 1e300]),
    ),
    min_size=1,
)


def frame_of(given_rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    schema = {"i": pl.Int64, "t": pl.String, "r": pl.Float64}
    frame = pl.DataFrame(given_rows, schema=schema, orient="row")
    return frame.with_columns(other=pl.Series(range(frame.height)))


def tuples(found: TupleCounts) -> list[tuple[Any, ...]]:
    return [
        tuple(found.values[j][int(code)] for j, code in enumerate(codes)) for codes in found.codes
    ]


@given(rows)
def test_frequencies_equal_a_counter(given_rows: list[tuple[Any, ...]]) -> None:
    found = LocalEngine(frame_of(given_rows)).tuples(["i", "t", "r"])
    assert Counter(dict(zip(tuples(found), found.counts.tolist(), strict=True))) == Counter(
        given_rows
    )
    assert found.columns == ("i", "t", "r")
    assert (found.codes.dtype, found.counts.dtype) == (np.int32, np.int64)


@given(rows)
def test_dictionaries_ascend_and_missing_comes_first(given_rows: list[tuple[Any, ...]]) -> None:
    found = LocalEngine(frame_of(given_rows)).tuples(["i", "t"])
    for j, values in enumerate(found.values):
        seen = {row[j] for row in given_rows}
        wanted = ([None] if None in seen else []) + sorted(seen - {None})
        assert values.to_list() == wanted
    codes = found.codes.tolist()
    assert codes == sorted(codes)


@given(rows=rows, data=st.data())
def test_row_order_does_not_matter(rows: list[tuple[Any, ...]], data: st.DataObject) -> None:
    first = LocalEngine(frame_of(rows)).tuples(["i", "t", "r"])
    mixed = LocalEngine(frame_of(data.draw(st.permutations(rows)))).tuples(["i", "t", "r"])
    assert np.array_equal(first.codes, mixed.codes)
    assert np.array_equal(first.counts, mixed.counts)
    for left, right in zip(first.values, mixed.values, strict=True):
        assert left.equals(right)


@given(rows)
def test_recode_gives_every_row_its_tuples_cell(given_rows: list[tuple[Any, ...]]) -> None:
    frame = frame_of(given_rows)
    found = LocalEngine(frame).tuples(["i", "t", "r"])
    names = {row: f"cell {number}" for number, row in enumerate(tuples(found))}
    cells = pl.Series(list(names.values()))
    changed = LocalEngine(frame).give(RecodedCells(found, {"t": cells, "i": cells + "!"})).frame
    assert changed.columns == frame.columns
    assert changed["t"].to_list() == [names[row] for row in given_rows]
    assert changed["i"].to_list() == [names[row] + "!" for row in given_rows]
    assert changed.select("r", "other").equals(frame.select("r", "other"))


@pytest.mark.parametrize(
    "values",
    [
        [True, False, None],
        [dt.date(2024, 1, 2), None, dt.date(2023, 1, 1)],
        pl.Series(["L", "S"], dtype=pl.Enum(["S", "L"])),
        pl.Series(["b", "a", None], dtype=pl.Categorical),
        pl.Series([None, None], dtype=pl.Int64),
        pl.Series([3, 1], dtype=pl.UInt8),
    ],
)
def test_any_kind_of_column(values: Any) -> None:
    frame = pl.DataFrame({"q": values})
    found = LocalEngine(frame).tuples(["q"])
    assert Counter(v for (v,) in tuples(found)) == Counter(set(frame["q"].to_list()))
    same = (
        LocalEngine(frame)
        .give(RecodedCells(found, {"q": found.values[0].gather(found.codes[:, 0])}))
        .frame
    )
    assert same["q"].to_list() == frame["q"].to_list()


@given(rows)
def test_compact_text_is_counted_and_recoded_like_text(given_rows: list[tuple[Any, ...]]) -> None:
    plain = frame_of(given_rows)
    packed = plain.with_columns(encode_dictionary(plain["t"]))
    left, right = (LocalEngine(frame).tuples(["i", "t"]) for frame in (plain, packed))
    assert np.array_equal(left.codes, right.codes)
    assert np.array_equal(left.counts, right.counts)
    assert all(a.equals(b) for a, b in zip(left.values, right.values, strict=True))
    cells = {"i": pl.Series([f"n{t}" for t in range(len(left.counts))])}
    changed = LocalEngine(packed).give(RecodedCells(right, cells)).frame
    assert is_dictionary_encoded(changed["i"].dtype)
    assert decode_categories(changed).equals(
        LocalEngine(plain).give(RecodedCells(left, cells)).frame
    )


@given(rows)
def test_every_row_has_its_tuple(given_rows: list[tuple[Any, ...]]) -> None:
    found = LocalEngine(frame_of(given_rows)).tuples(["i", "t", "r"])
    assert found.rows is not None
    assert [tuples(found)[number] for number in found.rows] == given_rows


def test_the_tuples_of_another_frame_are_refused() -> None:
    frame = frame_of([(1, "a", 0.5)])
    found = LocalEngine(frame).tuples(["i"])
    with pytest.raises(ValueError, match="not the tuples"):
        LocalEngine(pl.concat([frame, frame])).give(RecodedCells(found, {}))
