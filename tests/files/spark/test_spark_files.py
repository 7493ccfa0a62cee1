"""Reading on a cluster: the cells that the local reader sees, and what is refused."""

from __future__ import annotations

import gzip
from dataclasses import replace
from itertools import pairwise, product

import polars as pl
import pytest

from tokumei.core.claims import VerificationResult
from tokumei.core.errors import InputError, OutputError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.verification import verify_written
from tokumei.files.file_formats import MAX_BYTES
from tokumei.files.reading import load_frame, read_frame
from tokumei.files.spark.column_scan import (
    cast_columns,
    first_rows_as_text,
    scan_and_count_tuples,
    scan_columns,
)
from tokumei.files.spark.session import SparkPaths
from tokumei.files.spark.table_files import SparkTable, read_spark_table, require_plain_cells
from tokumei.files.writing import write_frame
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.protocol import RecodedCells
from tokumei.tables.engines.spark import SparkEngine

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]

LINES = [
    'number,text,real,day,"a ""b"", c",mixed,long',
    "1,x,1.5,2024-01-02,,1,12345678901234567890",
    '-2," y ",.50,2024-02-29,"",1.0,1',
    ',"say ""hi""",1e3,,z,x,',
    "1,,1.50,2024-01-02,,1,12345678901234567890",
]


def csv_file(tmp_path, lines=LINES, name="t.csv", end="\n"):
    path = tmp_path / name
    path.write_bytes("".join(line + end for line in lines).encode())
    return path


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


def test_some_rows_come_as_text(spark):
    rows = [(number, number // 2, None) for number in range(100)]
    table = SparkTable(spark.createDataFrame(rows, "a int, `b c` int, d int"))
    found = first_rows_as_text(table, 10)
    assert found.schema == dict.fromkeys(("a", "b c", "d"), pl.String)
    assert found.height == 10
    assert {row[:2] for row in found.rows()} <= {(str(n), str(n // 2)) for n in range(100)}


def test_two_tuples_with_one_key_are_told_apart(spark):
    rows = [("a", None), (None, "a"), ("b", "c")]
    table = SparkTable(spark.createDataFrame(rows, "x string, y string"))
    tuples = SparkEngine(table).tuples(["x", "y"])
    assert tuples.source["tokumei_key"].n_unique() == 3
    clash = tuples.source.with_columns(tokumei_key=pl.lit(0, pl.Int64))
    cells = {"x": pl.Series([f"{x}-{y}" for x, y, _ in tuples.cells.rows()])}
    for source, order in product((tuples.source, clash), (None, Randomness(1))):
        new = RecodedCells(replace(tuples, source=source), cells)
        given = SparkEngine(table, order).give(new).table.frame
        found = {(row.x, row.y) for row in given.collect()}
        assert found == {("a-None", None), ("None-a", "a"), ("b-c", "c")}
        assert given.columns == ["x", "y"]


def test_rows_are_sorted_by_their_random_key_after_the_join(spark):
    """A sort before the join would be left out by Spark, and rows would follow their parts."""
    table = SparkTable(spark.range(2000).selectExpr("id % 7 as q", "id").repartition(1, "q"))
    engine = SparkEngine(table).shuffled(Randomness(3))
    tuples = engine.tuples(["q"])
    given = engine.give(RecodedCells(tuples, {"q": tuples.cells["q"]})).table.frame
    released = [row.id for row in given.coalesce(1).collect()]
    assert sorted(released) == list(range(2000))
    ups = sum(a < b for a, b in pairwise(released))
    assert 900 < ups < 1100  # as in a random order


def test_nothing_replaces_what_exists(spark, tmp_path):
    paths, target = SparkPaths(spark), str(tmp_path / "there.csv")
    write_frame(pl.DataFrame({"a": [1]}), target)
    with pytest.raises(OutputError, match="exists already"):
        paths.require_new(target)
    with paths.staged(target) as hidden:
        paths.write_text("x", f"{hidden}/part")
        with pytest.raises(OutputError, match="exists already"):
            paths.publish(hidden, target, verify_written(None, VerificationResult([], 0), 0))
    assert [path.name for path in tmp_path.iterdir()] == ["there.csv"]
