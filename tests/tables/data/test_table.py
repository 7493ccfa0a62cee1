"""Tables from any frame; numbers and ranges of generalized cells; faults named by place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError
from tokumei.tables.data.schema import Schema
from tokumei.tables.data.table import Table, require_numbers

DATA = {"age": [30, 40], "income": [1.5, 2.5]}


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(DATA),
        pl.DataFrame(DATA).lazy(),
        pd.DataFrame(DATA, index=[7, 9]),
        pa.table(DATA),
        Table.of(pl.DataFrame(DATA)),
    ],
    ids=["polars", "lazy", "pandas", "arrow", "table"],
)
def test_any_frame(frame: Any) -> None:
    table = Table.of(frame, qi=["age"], sa=["income"])
    assert table.frame.to_dict(as_series=False) == DATA
    assert (table.schema.qi, table.schema.sa, table.rows) == (["age"], ["income"], 2)


@pytest.mark.parametrize("wrong", [{"a": [1]}, [1, 2], "x.csv", None])
def test_what_is_no_frame(wrong: Any) -> None:
    with pytest.raises(InputError, match="is not a table"):
        Table.of(wrong)


def test_cells_must_be_single_values() -> None:
    with pytest.raises(InputError, match="column 'a' holds List"):
        Table.of(pl.DataFrame({"a": [[1], [2]]}))


def test_nan_is_missing() -> None:
    for frame in (pl.DataFrame({"a": [1.0, math.nan]}), pd.DataFrame({"a": [1.0, math.nan]})):
        assert Table.of(frame).frame["a"].to_list() == [1.0, None]


def test_the_schema_must_describe_the_frame() -> None:
    with pytest.raises(ValueError, match="does not describe"):
        Table(pl.DataFrame(DATA), Schema(()))


def test_take_drop_and_with_frame_leave_the_table_alone() -> None:
    table = Table.of(pl.DataFrame(DATA), qi=["age"], sa=["income"])
    assert table.take(np.array([1, 0])).frame["age"].to_list() == [40, 30]
    assert table.take(np.array([], dtype=np.int64)).rows == 0
    dropped = table.drop(["age"])
    assert (dropped.schema.names, dropped.schema.sa) == (["income"], ["income"])
    assert table.with_frame(table.frame[:1]).rows == 1
    assert table.frame.to_dict(as_series=False) == DATA


@pytest.mark.filterwarnings("error")
def test_generalized_cells_count_by_their_middle() -> None:
    frame = pl.DataFrame({"a": ["1", "[2;4]", "{1;9}", "*", None], "b": [1, 2, 3, None, 5]})
    table = Table.of(frame, qi=[], sa=["a", "b"])
    nan = math.nan
    wanted = [[1, 1], [3, 2], [5, 3], [nan, nan], [nan, 5]]
    np.testing.assert_array_equal(table.numbers(["a", "b"]), wanted)
    low, high = table.ranges(["a"])
    np.testing.assert_array_equal(low[:, 0], [1, 2, 1, -math.inf, nan])
    np.testing.assert_array_equal(high[:, 0], [1, 4, 9, math.inf, nan])
    plain_low, plain_high = table.ranges(["b"])
    assert plain_low is plain_high
    assert table.numbers([]).shape == (5, 0)


@pytest.mark.parametrize(
    ("values", "bad", "bad_in_release"),
    [
        ([1, 2], [], []),
        (["1", "2.5"], [], []),
        ([1, None], [1], [1]),
        ([1.0, math.inf], [1], [1]),
        (["1", "x", "nan", ""], [1, 2, 3], [1, 2, 3]),
        (["1", "[1;2]", "*", "{1;2}"], [1, 2, 3], []),
    ],
)
def test_numbers_are_required(values: list[Any], bad: list[int], bad_in_release: list[int]) -> None:
    table = Table.of(pl.DataFrame({"s": values}), qi=[], sa=["s"])
    for general, wrong in ((False, bad), (True, bad_in_release)):
        if not wrong:
            require_numbers(table, ["s"], general=general)
            continue
        with pytest.raises(InputError, match=r"f.csv: sensitive columns") as caught:
            require_numbers(
                table, ["s"], where="f.csv", line_of=lambda row: row + 2, general=general
            )
        assert [fault.line for fault in caught.value.faults] == [row + 2 for row in wrong]
        assert {fault.column for fault in caught.value.faults} == {"s"}


def test_many_faults_are_capped_with_their_total() -> None:
    table = Table.of(pl.DataFrame({"s": ["x"] * 50, "t": [None] * 50}), qi=[], sa=["s", "t"])
    with pytest.raises(InputError) as caught:
        require_numbers(table, ["s", "t"])
    assert (len(caught.value.faults), caught.value.total) == (MAX_SHOWN_VIOLATIONS, 100)
    assert "row 0 (from 0), column 's': 'x'" in str(caught.value)
