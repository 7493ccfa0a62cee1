"""Tests of tokumei.files.spark.table_files."""

from __future__ import annotations

import gzip

import polars as pl
import pytest

from files.spark.spark_files_helpers import csv_file
from tokumei.core.errors import InputError, UsageError
from tokumei.files.spark.table_files import read_spark_table, require_plain_cells

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


def test_the_first_bytes_may_end_inside_a_character(spark, tmp_path):
    path = csv_file(tmp_path, ["名前,b", *["あ" * 99 + ",1"] * 4000])
    assert path.stat().st_size > 2**20
    table = read_spark_table(spark, str(path))
    assert table.frame.columns == ["名前", "b"]
    assert table.frame.distinct().count() == 1


def test_a_folder_of_packed_files_and_a_pattern(spark, tmp_path):
    folder = tmp_path / "many.csv.gz"
    folder.mkdir()
    for number in range(2):
        (folder / f"part-{number}.csv.gz").write_bytes(gzip.compress(f"a;b\n{number};x\n".encode()))
    for path in (str(folder), str(folder / "part-*.csv.gz")):
        table = read_spark_table(spark, path)
        assert table.sep == ";"
        assert sorted(row.a for row in table.frame.collect()) == ["0", "1"]


def test_parquet_types_stay_and_nan_is_missing(spark, tmp_path):
    frame = pl.DataFrame({"r": [1.5, float("nan"), None], "i": [1, 2, 3], "b": [True, None, False]})
    frame.write_parquet(tmp_path / "t.parquet")
    table = read_spark_table(spark, str(tmp_path / "t.parquet"))
    found = pl.DataFrame(pl.from_arrow(table.frame.toArrow()))
    assert found.equals(frame.fill_nan(None))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a,b", '1,"x', 'y"', "2,3"], "whole record"),  # a line end inside a cell
        (["a,b", "1"], "whole record"),
        (["a,b", "1,2,3"], "whole record"),
        (["a,b", '1,x"y'], "whole record"),
        (["a,b", '1,"x"y'], "whole record"),
        (["a,b", "1,x\0"], "whole record"),
        (["a,b", '1,"x\0"'], "whole record"),
        (["a,b", "  "], "whole record"),
        (["a\tb", "\t"], "whole record"),  # two missing cells, but Spark passes over it
        (["a", "1", "", "2"], "whole record"),  # a missing cell or no line?
        (["a,a", "1,2"], "the name 'a' is used 2 times"),
        (["a,tokumei_x", "1,2"], "cannot be used"),
    ],
)
def test_what_lines_cannot_be_is_refused(spark, tmp_path, lines, message):
    with pytest.raises(InputError, match=message):
        read_spark_table(spark, str(csv_file(tmp_path, lines)))


def test_other_encodings_are_refused(spark, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,x\n" * 200_000 + "1,東京\n".encode("cp932"))
    with pytest.raises(InputError, match="UTF-8"):
        read_spark_table(spark, str(path))
    with pytest.raises(UsageError, match="must be UTF-8, not cp932"):
        read_spark_table(spark, str(path), encoding="cp932")


def test_other_names_and_types_are_refused(spark, tmp_path):
    with pytest.raises(UsageError, match="must end in"):
        read_spark_table(spark, "x.xlsx")
    with pytest.raises(InputError, match="no such file"):
        read_spark_table(spark, str(tmp_path / "x.csv"))
    nested = spark.createDataFrame([([1],)], "a array<int>")
    with pytest.raises(InputError, match="column 'a' holds array"):
        require_plain_cells(nested)
