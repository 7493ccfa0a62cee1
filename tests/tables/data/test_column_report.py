"""The same rows in whatever order, against a Counter."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tokumei.files.column_types import encode_dictionary
from tokumei.tables.data.column_report import has_same_rows
from tokumei.tables.data.table import Table

row = st.tuples(st.none() | st.integers(0, 1), st.none() | st.sampled_from(["a", ""]))


rows = st.lists(row, max_size=4)


def table(given_rows: list[tuple[Any, ...]]) -> Table:
    schema = {"i": pl.Int64, "t": pl.String}
    return Table.of(pl.DataFrame(given_rows, schema=schema, orient="row"), qi=["i"])


@given(rows, rows)
def test_rows_are_the_same_if_each_occurs_as_often(
    left: list[tuple[Any, ...]], right: list[tuple[Any, ...]]
) -> None:
    assert has_same_rows(table(left), table(right)) == (Counter(left) == Counter(right))
    assert has_same_rows(table(left), table(left[::-1]))


def test_types_matter_but_not_how_text_is_kept() -> None:
    plain = table([(1, "a"), (0, "b")])
    packed = plain.with_frame(plain.frame.with_columns(encode_dictionary(plain.frame["t"])))
    assert has_same_rows(plain, packed)
    assert has_same_rows(packed, packed)
    assert not has_same_rows(plain, plain.with_frame(plain.frame.cast({"i": pl.String})))


def test_a_column_that_was_dropped_does_not_count() -> None:
    plain = table([(1, "a"), (0, "b")])
    assert has_same_rows(plain, plain.drop(["t"]))
    assert not has_same_rows(
        plain, plain.drop(["t"]).take(plain.frame["i"].arg_sort()[:1].to_numpy())
    )
