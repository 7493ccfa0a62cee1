"""Reading: formats, encodings, types, and a clear error for whatever is wrong."""

from __future__ import annotations

import gzip
from datetime import date

import numpy as np
import polars as pl
import pytest

from files.reading_helpers import PEOPLE, error_of
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.language import language_context
from tokumei.files.reading import detect_file_separator, read_frame
from tokumei.files.writing import read_link
from tokumei.tables.data.reading import read_table


class TestEncodings:
    @pytest.mark.parametrize(
        "encoding", ["utf-8", "utf-8-sig", "cp932", "shift_jis", "utf-16", "utf-16-le-bom"]
    )
    def test_all_read_alike(self, make, encoding):
        if encoding == "utf-16-le-bom":
            data = b"\xfe\xff" + PEOPLE.encode("utf-16-be")
        else:
            data = PEOPLE.encode(encoding)
        frame = read_frame(make(data))
        assert frame.rows() == [("山田", 34, 1.5), ("鈴木", 28, 2.0)]
        assert frame.columns == ["名前", "年齢", "収入"]

    def test_encoding_given(self, make):
        path = make(PEOPLE.encode("cp932"))
        assert read_frame(path, encoding="Shift_JIS").height == 2
        assert read_frame(path, encoding="cp932").height == 2
        assert error_of(path, encoding="utf-8").faults[0].line == 1

    def test_utf16_without_mark_when_given(self, make):
        assert read_frame(make(PEOPLE.encode("utf-16-le")), encoding="utf-16").height == 2

    def test_unknown_encoding_names_the_nearest(self, make):
        with pytest.raises(UnknownNameError, match="cp932"):
            read_frame(make(PEOPLE), encoding="cp923")

    def test_neither_names_line_and_offset(self, make):
        data = PEOPLE.encode() + b"\xff\xfe\xfd,1,2\n"
        error = error_of(make(data))
        fault = error.faults[0]
        assert fault.line == 4
        assert f"byte offset {data.index(0xFF)}" in fault.message.show("en")
        assert "4 行目" in fault.message.show("ja")

    @pytest.mark.parametrize("rows", [10, 60_000])
    def test_offset_is_right_in_later_blocks(self, make, rows):
        data = "名前,x\n".encode("cp932") + "山,1\n".encode("cp932") * rows + b"\x81\n"
        fault = error_of(make(data)).faults[0]
        assert fault.line == rows + 2
        assert f"byte offset {len(data) - 2}" in fault.message.show("en")

    def test_bytes_that_cp932_leaves_unassigned_are_refused(self, make):
        data = b"a,b\n\x80,2\n"
        assert "byte offset 4" in error_of(make(data)).faults[0].message.show("en")

    def test_odd_utf16_is_refused_with_its_line(self, make):
        data = PEOPLE.encode("utf-16") + b"\x00"
        assert error_of(make(data)).faults[0].line == 4

    def test_large_cp932_across_blocks(self, make):
        text = "名前,値\n" + "漢字かな,1\n" * 80_000
        frame = read_frame(make(text.encode("cp932")))
        assert frame.height == 80_000
        assert frame["名前"].unique().to_list() == ["漢字かな"]


class TestLinesAndSeparators:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_line_ends(self, make, end):
        assert read_frame(make(f"a,b{end}1,x{end}2,y{end}")).rows() == [(1, "x"), (2, "y")]

    def test_last_line_without_end(self, make):
        assert read_frame(make("a,b\n1,x\n2,y")).height == 2

    @pytest.mark.parametrize("sep", [",", ";", "\t"])
    def test_separator_is_detected(self, make, sep):
        path = make(f"a{sep}b{sep}c\n1{sep}2{sep}[1;5]\n".replace("[1;5]", '"[1;5]"'))
        assert read_frame(path).row(0) == (1, 2, "[1;5]")
        assert detect_file_separator(path) == sep

    def test_quoted_header_does_not_mislead(self, make):
        assert read_frame(make('"a,b,c";d\n1;2\n')).columns == ["a,b,c", "d"]

    def test_given_separator(self, make):
        assert read_frame(make("a|b\n1|2\n"), sep="|").row(0) == (1, 2)

    @pytest.mark.parametrize("sep", ["", '"', "\n", "||", "、"])
    def test_impossible_separator(self, make, sep):
        if sep:
            with pytest.raises(UsageError, match="separator"):
                read_frame(make("a,b\n1,2\n"), sep=sep)

    def test_tsv_is_by_tab(self, make):
        assert read_frame(make("a,x\tb\n1\t2\n", "a.tsv")).columns == ["a,x", "b"]

    def test_one_column(self, make):
        assert read_frame(make("a\n1\n\n3\n"))["a"].to_list() == [1, None, 3]

    def test_blank_lines_at_the_end_are_no_rows(self, make):
        assert read_frame(make("a,b\n1,2\n\n\r\n\n")).height == 1

    def test_quotes(self, make):
        frame = read_frame(make('a,b\n"x,1\ny","say ""hi"""\n"",z\n'))
        assert frame.rows() == [("x,1\ny", 'say "hi"'), (None, "z")]

    def test_gzip(self, make):
        path = make(gzip.compress(PEOPLE.encode("cp932")), "a.csv.gz")
        assert read_frame(path).height == 2
        assert detect_file_separator(path) == ","


class TestTypes:
    @pytest.mark.parametrize(
        ("cells", "dtype", "values"),
        [
            (["1", "-2", "0"], pl.Int64, [1, -2, 0]),
            (["1", "", "3"], pl.Int64, [1, None, 3]),
            (["-0", "1"], pl.Int64, [0, 1]),
            (["9223372036854775807"], pl.Int64, [2**63 - 1]),
            (["-9223372036854775808"], pl.Int64, [-(2**63)]),
            (["9223372036854775808"], pl.String, None),
            (["007", "012"], pl.String, None),
            (["1", "02"], pl.String, None),
            (["-01"], pl.String, None),
            (["+1"], pl.Float64, [1.0]),
            (["1.5", "2", "-3e2", "1E-3"], pl.Float64, [1.5, 2.0, -300.0, 0.001]),
            ([".5", "5."], pl.Float64, [0.5, 5.0]),
            (["1.5", "9223372036854775808"], pl.Float64, [1.5, 2.0**63]),
            (["1.5", "07"], pl.String, None),
            (["00.5"], pl.String, None),
            (["1.5", "NaN"], pl.String, None),
            (["1", "nan"], pl.String, None),
            (["1.5", "inf"], pl.String, None),
            (["1.5", "-Infinity"], pl.String, None),
            (["1.5", "1e999"], pl.String, None),
            (["1 ", "2"], pl.String, None),
            (["１"], pl.String, None),
            (["1_000"], pl.String, None),
            (["0x10"], pl.String, None),
            (["2024-01-02", ""], pl.Date, [date(2024, 1, 2), None]),
            (["2024/1/2"], pl.String, None),
            (["2024-1-2"], pl.String, None),
            (["2024-02-30"], pl.String, None),
            (["0000-01-01"], pl.String, None),
            (["2024-01-02", "x"], pl.String, None),
            (["true", "false"], pl.String, None),
            (["[1;5]", "*"], pl.String, None),
            (["", ""], pl.String, [None, None]),
        ],
    )
    def test_all_cells_decide(self, make, cells, dtype, values):
        text = "k,a\n" + "".join(f"k,{cell}\n" for cell in cells)
        column = read_frame(make(text))["a"]
        assert column.dtype == dtype
        assert column.to_list() == (cells if values is None else values)

    @pytest.mark.parametrize("last", ["1.5", "007", "x", "2024-01-01", "NaN"])
    def test_a_late_cell_decides_too(self, make, last):
        column = read_frame(make("k,a\n" + "k,1\n" * 5000 + f"k,{last}\n"))["a"]
        assert column.dtype == (pl.Float64 if last == "1.5" else pl.String)

    def test_an_early_gap_hides_nothing(self, make):
        frame = read_frame(make("k,a,b\n" + "k,,\n" * 5000 + "k,2024-01-01,1.5\n"))
        assert frame.dtypes == [pl.String, pl.Date, pl.Float64]


class TestBrokenCsv:
    def test_ragged_lines_are_all_listed(self, make):
        error = error_of(make("a,b\n1,2\n3\n\n4,5,6\n7,8\n"))
        assert [fault.line for fault in error.faults] == [3, 4, 5]
        assert "too few" in error.faults[0].message.show("en")
        assert "too many" in error.faults[2].message.show("en")
        assert "多すぎます" in error.faults[2].message.show("ja")

    def test_too_few_alone(self, make):
        assert error_of(make("a,b,c\n1,2,3\n4,5\n")).faults[0].line == 3

    def test_the_total_counts_beyond_the_cap(self, make):
        error = error_of(make("a,b\n" + "1\n" * 500))
        assert (len(error.faults), error.total) == (20, 500)

    def test_ragged_among_quotes_counts_file_lines(self, make):
        error = error_of(make('a,b\n"x\ny",2\n"q,r"\n'))
        assert [fault.line for fault in error.faults] == [4]

    def test_short_line_cannot_hide_behind_a_quoted_separator(self, make):
        assert error_of(make('a,b\n"1,2"\n')).faults[0].line == 2

    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ('a,b\n1,2\n"x,2\n3,4\n', 3, "never closed"),
            ('a,b\n1,5" disk\n', 2, "inside a field"),
            ('a,b\n"x"y,2\n', 2, "follows"),
            ('"a,b\n1,2\n', 1, "never closed"),
        ],
    )
    def test_quotes(self, make, text, line, words):
        fault = error_of(make(text)).faults[0]
        assert fault.line == line
        assert words in fault.message.show("en")

    def test_header_names(self, make):
        error = error_of(make("a,,a,b, \n1,2,3,4,5\n"))
        shown = " ".join(fault.message.show("en") for fault in error.faults)
        assert error.total == 3
        assert "'a' is used 2 times" in shown
        assert "column number 2 has no name" in shown

    @pytest.mark.parametrize("content", ["", "\n", "\ufeff", "\r\n\r\n", "  \n"])
    def test_empty(self, make, content):
        assert "empty" in error_of(make(content)).message.show("en")

    @pytest.mark.parametrize("content", ["a,b", "a,b\n", "a,b\r\n\r\n"])
    def test_header_only(self, make, content):
        error = error_of(make(content))
        assert "no rows" in error.message.show("en")
        assert "行がありません" in error.message.show("ja")

    def test_blank_first_line(self, make):
        assert "no name" in str(error_of(make("\na,b\n1,2\n")))

    def test_nul(self, make):
        fault = error_of(make(b"a,b\n1,2\n\0,3\n")).faults[0]
        assert fault.line == 3
        assert "byte offset 8" in fault.message.show("en")

    def test_japanese_message(self, make):
        error = error_of(make("a,b\n1\n"))
        with language_context("ja"):
            assert "2 行目" in str(error)


class TestTable:
    def test_roles(self, make):
        table = read_table(make("id,age,pay\nx,1,2.5\ny,2,3.5\n"), qi=["age"], sa=["pay"])
        assert (table.schema.qi, table.schema.sa, table.schema.others) == (
            ["age"],
            ["pay"],
            ["id"],
        )

    def test_unknown_column_names_file_and_nearest(self, make):
        path = make("age,pay\n1,2.5\n")
        with pytest.raises(UnknownNameError) as caught:
            read_table(path, qi=["aeg"], sa=["pay"])
        assert str(path) in str(caught.value)
        assert caught.value.nearest == "age"

    @pytest.mark.parametrize("bad", ["inf", "1e999"])
    def test_bad_sensitive_cell(self, make, bad):
        path = make(f"age,pay\n1,2.5\n2,{bad}\n3,4\n")
        with pytest.raises(InputError) as caught:
            read_table(path, qi=["age"], sa=["pay"])
        fault = caught.value.faults[0]
        assert (fault.line, fault.column) == (3, "pay")
        assert f"'{bad}'" in fault.message.show("en")
        assert str(path) in caught.value.message.show("ja")

    def test_a_sensitive_cell_may_be_missing(self, make):
        table = read_table(make("age,pay\n1,2.5\n2,\n3,4\n"), qi=["age"], sa=["pay"])
        assert table.frame["pay"].to_list() == [2.5, None, 4.0]

    @pytest.mark.parametrize("text", ["x", "[1;5]", "NaN"])
    def test_a_sensitive_column_may_be_text(self, make, text):
        table = read_table(make(f"age,pay\n1,2.5\n2,{text}\n3,4\n"), qi=["age"], sa=["pay"])
        assert table.frame["pay"].to_list() == ["2.5", text, "4"]

    def test_lines_are_those_of_the_file(self, make):
        path = make('note,pay\n"a\nb\nc",1\nx,inf\n')
        with pytest.raises(InputError) as caught:
            read_table(path, qi=["note"], sa=["pay"])
        assert caught.value.faults[0].line == 5

    def test_rows_where_there_are_no_lines(self, tmp_path):
        pl.DataFrame({"a": [1, 2], "pay": [1.0, float("inf")]}).write_parquet(
            tmp_path / "a.parquet"
        )
        with pytest.raises(InputError) as caught:
            read_table(tmp_path / "a.parquet", qi=["a"], sa=["pay"])
        assert caught.value.faults[0].line is None
        assert "row 1 (from 0)" in caught.value.faults[0].message.show("en")

    def test_release_may_be_generalized(self, make):
        path = make("age,pay\n1,[1;5]\n2,*\n3,{1;2}\n4,2.5\n5,7\n", "r.csv")
        assert read_table(path, qi=["age"], sa=["pay"], release=True).rows == 5
        gappy = make("age,pay\n1,[1;5]\n2,\n3,7\n", "s.csv")
        assert read_table(gappy, qi=["age"], sa=["pay"], release=True).frame["pay"][1] is None

    def test_the_total_counts_all(self, make):
        path = make("age,pay\n" + "1,inf\n" * 300)
        with pytest.raises(InputError) as caught:
            read_table(path, qi=["age"], sa=["pay"])
        assert (len(caught.value.faults), caught.value.total) == (20, 300)


class TestLink:
    def test_any_order(self, make):
        path = make("released,original\n2,7\n0,3\n1,5\n")
        assert read_link(path, 3, 10).tolist() == [3, 5, 7]

    def test_all_faults_without_values(self, make):
        lines = ["released,original", "0,8881", "0,42", "x,43", "9,44", "2,-45", "3,8882", "4,42"]
        path = make("\n".join(lines) + "\n")
        with pytest.raises(InputError) as caught:
            read_link(path, 6, 100)
        error = caught.value
        assert [fault.line for fault in error.faults] == [2, 3, 4, 5, 6, 7, 8, None, None]
        shown = str(error.as_json()["faults"])
        for secret in ("8881", "8882", "42", "43", "44", "45"):
            assert secret not in shown

    @pytest.mark.parametrize(
        "text",
        [
            "424242,424242\n1,2\n",
            "released,424242\n1,2\n",
            "released,original\n0,424242,1\n",
            'released,original\n0,424242"\n',
            'released,original\n"0,424242\n',
            "released,original\n424242\n",
            "released;original\n0;424242\n",
        ],
    )
    def test_no_message_shows_the_text(self, make, text):
        with pytest.raises(InputError) as caught:
            read_link(make(text), 1, 10)
        assert "424242" not in str(caught.value.as_json()).replace(str(make(text)), "")

    def test_many_faults_are_counted(self, make):
        path = make("released,original\n" + "0,x\n" * 1000)
        with pytest.raises(InputError) as caught:
            read_link(path, 1, 1)
        assert caught.value.total == 1999

    def test_a_link_is_csv(self, make):
        with pytest.raises(UsageError):
            read_link(make("released,original\n0,0\n", "l.parquet"), 1, 1)
        assert read_link(make("released,original\n0,0\n", "link"), 1, 1).tolist() == [0]


@pytest.mark.parametrize("place", [0, 70_000, 149_999])
@pytest.mark.parametrize("line", ["1", "1,2,3,4", "1,2"])
def test_one_ragged_line_in_a_large_file(tmp_path, place, line):
    lines = ["1,2,3"] * 150_000
    lines[place] = line
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n" + "\n".join(lines) + "\n")
    assert [fault.line for fault in error_of(path).faults] == [place + 2]


def test_large_file_with_quoted_line_ends(tmp_path):
    rng = np.random.default_rng(1)
    notes = rng.choice(["x", "a\nb", 'q"q', "c,d", "行\n行\n行"], 200_000)
    frame = pl.DataFrame({"k": range(200_000), "note": notes})
    frame.write_csv(tmp_path / "a.csv")
    assert read_frame(tmp_path / "a.csv").equals(frame)
