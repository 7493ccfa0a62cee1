"""Tests of tokumei.files.spark.column_scan."""

from __future__ import annotations

import polars as pl
import pytest

from files.spark.spark_files_helpers import csv_file
from tokumei.files.file_formats import MAX_BYTES
from tokumei.files.reading import load_frame, read_frame
from tokumei.files.spark.column_scan import (
    cast_columns,
    first_rows_as_text,
    scan_and_count_tuples,
    scan_columns,
)
from tokumei.files.spark.table_files import SparkTable, read_spark_table
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.spark import SparkEngine

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_cells_and_types_are_those_of_the_local_reader(spark, tmp_path, end):
    path = csv_file(tmp_path, end=end)
    local, table = read_frame(path), read_spark_table(spark, str(path))
    names = local.columns
    assert table.frame.columns == names
    found = SparkEngine(table).tuples(names)
    wanted = LocalEngine(local).tuples(names)
    assert found.counts.tolist() == wanted.counts.tolist()
    assert found.codes.tolist() == wanted.codes.tolist()
    for ours, theirs in zip(found.values, wanted.values, strict=True):
        assert ours.equals(theirs, check_dtypes=True)
    look = scan_columns(table, names, types=names)
    assert look.rows == 4
    counted, tuples = scan_and_count_tuples(table, names[:1], types=names, most=4)
    assert (counted.types, counted.rows) == (look.types, 4)
    assert tuples is not None
    assert counted.tuples == tuples.cells.height == local[names[0]].n_unique()
    typed = cast_columns(table, look.types).frame.toArrow()
    loaded = load_frame(path, None, "auto", MAX_BYTES)
    assert list(loaded.spelled) == ["real"]
    assert pl.DataFrame(pl.from_arrow(typed)).equals(local.with_columns(**loaded.spelled))


def test_some_rows_come_as_text(spark):
    rows = [(number, number // 2, None) for number in range(100)]
    table = SparkTable(spark.createDataFrame(rows, "a int, `b c` int, d int"))
    found = first_rows_as_text(table, 10)
    assert found.schema == dict.fromkeys(("a", "b c", "d"), pl.String)
    assert found.height == 10
    assert {row[:2] for row in found.rows()} <= {(str(n), str(n // 2)) for n in range(100)}
