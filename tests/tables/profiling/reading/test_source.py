"""Tests of tokumei.tables.profiling.reading.source."""

from __future__ import annotations

import polars as pl

from tokumei.tables.profiling.reading.source import read_source


def test_blank_and_repeated_names(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(",x,x,y\n1,a,b,c\n2,d,e,f\n")
    assert read_source(str(path)).frame.columns == ["Unnamed: 0", "x", "x.2", "y"]


def test_cells_over_several_lines(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('id,note\n1,"two\nlines"\n2,"x, y"\n3,"last\n\none"\n')
    source = read_source(str(path))
    assert source.frame["note"].to_list() == ["two\nlines", "x, y", "last\n\none"]
    assert [source.line_of(row) for row in range(3)] == [2, 4, 5]


def test_a_total_among_the_rows_is_told_and_kept(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("店,数\nA,1\n小計,1\nB,2\nC,3\n")
    source = read_source(str(path))
    assert source.frame.height == 4
    assert [(f.rule, f.line) for f in source.warnings] == [("total-among-rows", 3)]


def test_a_row_of_a_parquet_file_is_a_row_though_nothing_stands_in_it(tmp_path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"1": ["a", None, "b"], "2": [3, None, 4]}).write_parquet(path)
    assert read_source(str(path)).frame.height == 3
