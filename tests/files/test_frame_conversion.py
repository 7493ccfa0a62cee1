"""Frames of pandas, Polars and Arrow on their way in and back; what cannot be read is refused."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tokumei import InputError, anonymize, look, read_table
from tokumei.files.frame_conversion import to_polars

BASE = {"age": [1, 1, 2, 2], "sex": ["m", "f", "m", "f"]}


def test_a_named_index_is_the_first_column():
    frame = pd.DataFrame(BASE, index=pd.Index([9, 8, 7, 6], name="uid"))
    assert to_polars(frame).columns == ["uid", "age", "sex"]
    assert to_polars(frame)["uid"].to_list() == [9, 8, 7, 6]
    assert [column.name for column in look(frame).columns] == ["uid", "age", "sex"]
    assert [*frame.columns] == ["age", "sex"]


def test_named_levels_of_an_index_are_columns_and_unnamed_ones_are_not():
    index = pd.MultiIndex.from_tuples([(1, 5), (1, 6), (2, 5), (2, 6)], names=["shop", None])
    read = to_polars(pd.DataFrame(BASE, index=index))
    assert read["shop"].to_list() == [1, 1, 2, 2]
    assert read.columns == ["shop", "age", "sex"]


def test_labels_of_an_unnamed_index_never_leave():
    """In the order of the released rows they would be the link."""
    frame = pd.DataFrame(BASE, index=["ann", "bob", "cat", "dan"])
    for keep_order in (True, False):
        release = anonymize(frame, k=2, qi=["age", "sex"], keep_order=keep_order, seed=1)
        assert release.frame.index.equals(pd.RangeIndex(4))
        assert release.frame.index.name is None


def test_numbers_as_names_are_names_and_come_back():
    frame = pd.DataFrame({0: BASE["age"], 1: BASE["sex"]})
    assert to_polars(frame).columns == ["0", "1"]
    for qi in (["0", "1"], [0, 1]):
        release = anonymize(frame, k=2, qi=qi, seed=1)
        assert [*release.frame.columns] == [*release.to_pandas().columns] == [0, 1]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
        pd.DataFrame([[1, 2], [3, 4]], columns=[1, "1"]),
        pd.DataFrame({"a": [1, 2]}, index=pd.Index([1, 2], name="a")),
        pa.table([[1, 2], [3, 4]], names=["a", "a"]),
    ],
)
def test_names_that_two_columns_have_are_refused(frame):
    with pytest.raises(InputError, match="rename one of them"):
        to_polars(frame)


def test_several_levels_of_names_are_refused_with_what_to_do():
    frame = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]))
    with pytest.raises(InputError, match=r"frame\.columns = "):
        to_polars(frame)
    frame.columns = ["_".join(map(str, name)) for name in frame.columns]
    assert to_polars(frame).columns == ["a_1", "b_2"]


@pytest.mark.parametrize(
    "thing",
    [
        pd.DataFrame(BASE).groupby("sex"),
        pd.Series([1]),
        pl.Series([1]),
        {"a": [1]},
        [{"a": 1}],
        np.zeros((2, 2)),
        None,
        5,
    ],
)
def test_what_is_no_table_is_refused(thing):
    with pytest.raises(InputError, match="give a pandas, Polars or Arrow frame"):
        to_polars(thing)


@pytest.mark.parametrize(
    "cells", [[[1]] * 4, [{"a": 1}] * 4, pd.to_timedelta(range(4), unit="h"), [b"a"] * 4]
)
def test_cells_that_are_no_single_values_are_refused_with_what_to_do(cells):
    with pytest.raises(InputError, match=r"column 'm' holds .*: convert it"):
        anonymize(pd.DataFrame({**BASE, "m": cells}), k=2, qi="age", passed=["sex", "m"])


@pytest.mark.parametrize("library", ["polars", "arrow"])
def test_times_and_decimals_of_other_libraries_come_back(library):
    frame = pl.DataFrame(
        {
            **BASE,
            "seen": pl.Series(["2024-01-01"] * 4).str.to_datetime(),
            "price": [Decimal("1.5"), Decimal("2.5")] * 2,
        }
    )
    source = frame if library == "polars" else frame.to_arrow()
    release = anonymize(source, k=2, qi="age", passed=["sex", "seen", "price"], seed=1)
    back = pl.DataFrame(release.frame)
    assert back.schema["seen"] == pl.Datetime
    assert back.schema["price"].is_decimal()


@pytest.mark.parametrize("library", ["polars", "pandas", "arrow"])
def test_a_column_without_a_name_is_called_as_in_a_file(library, tmp_path):
    frame = pl.DataFrame({**BASE, "pay": [5, 6, 7, 8], "": ["a", "b", "c", "d"]})
    frame.write_csv(tmp_path / "x.csv")
    with pytest.warns(UserWarning, match="Unnamed: 3"):
        from_file = read_table(tmp_path / "x.csv")
    native = {"polars": frame, "pandas": frame.to_pandas(), "arrow": frame.to_arrow()}[library]
    assert to_polars(native).columns == from_file.frame.columns == [*BASE, "pay", "Unnamed: 3"]
