"""Strangers' files: encodings, separators, lines that are no rows, and what cannot be read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xlsxwriter

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.tables.profiling.profiler import look
from tokumei.tables.profiling.reading.encoding import guess_encoding
from tokumei.tables.profiling.reading.source import Dialect, read_source
from tokumei.tables.profiling.reading.table_boundaries import find_table_bounds, guess_separator

JAPANESE = "氏名,住所\n山田太郎,東京都千代田区\n"


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "cp932", "utf-16", "euc-jp", "iso-2022-jp"]
)
def test_japanese_encodings(codec: str) -> None:
    assert guess_encoding((JAPANESE * 20).encode(codec)) == codec


def test_latin_text_is_not_japanese_by_accident() -> None:
    text = "Straße;Größe;Prénom\nMüllerstraße;größer;André\n" * 30
    assert guess_encoding(text.encode("latin-1")) == "latin-1"
    assert guess_encoding((text + "“50 €”\n").encode("cp1252")) == "cp1252"


def test_a_broken_byte_is_a_fault_with_its_line_or_counted(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes((JAPANESE * 200).encode("cp932").replace(b"\x93\x8c", b"\x93\xff", 1))
    with pytest.raises(InputError) as failed:
        look(str(path))
    assert failed.value.faults[0].line == 2
    replaced = read_source(str(path), Dialect(replace=True))
    assert replaced.replaced >= 1


@pytest.mark.parametrize(
    ("lines", "sep"),
    [
        (["a;b;c", "1,5;2,5;3,5", "1,0;2,0;3,0"], ";"),
        (["a,b", '"x;y;z",2', '"u;v;w",3'], ","),
        (["a\tb c, d", "1\tx, y", "2\tz, w"], "\t"),
        (["a|b|c", "1|2|3"], "|"),
        (["one line", "another"], None),
    ],
)
def test_the_separator_that_most_lines_agree_on(lines: list[str], sep: str | None) -> None:
    assert guess_separator(lines) == sep


ROWS = [["田中", "男", "1990-01-01"], ["佐藤", "女", "1985-05-05"], ["鈴木", "男", "1979-09-09"]]


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([["氏名", "性別", "生年月日"], *ROWS], 0),
        (ROWS, None),
        ([["名簿", "", ""], ["", "", ""], ["氏名", "性別", "生年月日"], *ROWS], 2),
        ([["人", "属性", "属性"], ["氏名", "性別", "生年月日"], *ROWS], 1),
        ([["店", "2023", "2024"], ["a", "10", "20"], ["b", "30", "40"]], 0),
    ],
)
def test_the_line_of_names(rows: list[list[str]], header: int | None) -> None:
    assert find_table_bounds(rows, 3).header == header


def test_blank_and_repeated_names(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(",x,x,y\n1,a,b,c\n2,d,e,f\n")
    assert read_source(str(path)).frame.columns == ["Unnamed: 0", "x", "x.2", "y"]


def test_blank_lines_and_a_remark_are_no_rows_and_a_wide_line_is_a_fault(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,2,x\n\n3,4,y\n,,\n5,6,z\n※ 注記\n")
    source = read_source(str(path))
    assert source.frame.rows() == [("1", "2", "x"), ("3", "4", "y"), ("5", "6", "z")]
    assert (source.empty, source.below) == (2, 1)
    assert [source.line_of(row) for row in range(3)] == [2, 4, 6]
    path.write_text("title\na,b,c\n1,2,x\n3,4,y,9\n5,6,z\n")
    with pytest.raises(InputError) as failed:
        read_source(str(path))
    assert failed.value.faults[0].line == 4


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


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty"), (b"just some prose\nand more of it\n", "one column"), (b"a,b\n\0,1\n", "NUL")],
)
def test_what_is_no_table_fails_in_words(content: bytes, words: str, tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        look(str(path))


@pytest.mark.parametrize(
    ("name", "words"),
    [("a.xls", "old Excel"), ("a.numbers", "Numbers"), ("a.pdf", "PDF"), ("a.xlsx", "password")],
)
def test_formats_that_are_not_read_are_named(name: str, words: str, tmp_path) -> None:
    path = tmp_path / name
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises((InputError, UsageError), match=words):
        look(str(path))


def test_a_row_of_a_parquet_file_is_a_row_though_nothing_stands_in_it(tmp_path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"1": ["a", None, "b"], "2": [3, None, 4]}).write_parquet(path)
    assert read_source(str(path)).frame.height == 3


def test_chinese_is_not_odd_japanese() -> None:
    lines = "编号,姓名,性别,学历,所在城市\n1,王伟,男,本科,上海\n2,李静,女,硕士,广州\n"
    assert guess_encoding(lines.encode("gb18030")) == "gb18030"
    japanese = "番号,氏名,性別,学歴,所在地\n1,山田太郎,男,大学,上田\n2,鈴木花子,女,高校,広島\n"
    assert guess_encoding(japanese.encode("euc-jp")) == "euc-jp"


def test_a_header_alone_can_be_looked_at(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("氏名,性別\n")
    found = look(str(path))
    assert found.rows == 0
    assert [column.name for column in found.columns] == ["氏名", "性別"]


def test_workbooks_with_two_tables_and_several_sheets(tmp_path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet("表紙").write(0, 0, "案内")
        sheet = book.add_worksheet("名簿")
        for y, row in enumerate([["氏名", "性別", "生年月日"], *ROWS * 3], 2):
            sheet.write_row(y, 1, row)
        for y, row in enumerate([["区", "数"], ["a", "1"], ["b", "2"]], 2):
            sheet.write_row(y, 6, row)
    found = look(str(path))
    assert (found.source.sheet, found.source.header_row, found.rows) == ("名簿", 3, 9)
    assert [c.name for c in found.columns] == ["氏名", "性別", "生年月日"]
    assert "two-tables" in [fault.rule for fault in found.warnings]
    with pytest.raises(UnknownNameError, match="名簿"):
        look(str(path), sheet="名薄")


def test_frames_of_pandas_polars_and_arrow_look_alike() -> None:
    rows = {
        "customer_id": range(100, 140),
        "age": [20.0 + i % 40 for i in range(40)],
        "sex": ["m", "f"] * 20,
    }
    frame = pd.DataFrame(rows).assign(note=[np.nan, "x"] * 20)
    found = [
        look(one).as_json()
        for one in (frame, pl.from_pandas(frame), pl.from_pandas(frame).to_arrow())
    ]
    assert found[0] == found[1] == found[2]
    assert [c["type"] for c in found[0]["columns"][:3]] == ["member_id", "age", "sex"]
    assert found[0]["columns"][1]["normalizations"] == [{"rule": "integer-as-float", "cells": 40}]


def test_cells_that_do_not_fit_are_listed_by_line_and_shape(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("age,sex\n" + "".join(f"{20 + i % 50},m\n" for i in range(60)) + "abc,f\n")
    (fault,) = look(str(path)).warnings
    assert (fault.rule, fault.line, fault.column) == ("bad-cell", 62, "age")
    assert "abc" not in fault.message.en


@pytest.mark.parametrize("word", ["Summe", "Итого", "合计", "Gesamtsumme:", "sum"])
def test_a_total_line_is_no_row_in_any_language(tmp_path, word: str) -> None:
    lines = ["nr;patient;cost", *(f"{i};P{i // 2:03};{i}0" for i in range(1, 61)), f"{word};;99"]
    (tmp_path / "x.csv").write_text("\n".join(lines), encoding="utf-8")
    assert look(tmp_path / "x.csv").rows == 60
