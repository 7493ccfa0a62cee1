"""Contest files: every line kept, read and written without quotation marks."""

from __future__ import annotations

import gzip
import stat
import tempfile
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, UnknownNameError, UsageError
from tokumei.files.atomic_write import write_all
from tokumei.files.contest_files import contest_file_output, read_contest_file

ABC = ("a", "b", "c")


def lines_of(path: Path, columns=ABC) -> tuple[list[tuple[str | None, ...]], list[int]]:
    text = read_contest_file(path, columns)
    assert text.frame.columns == list(columns)
    assert set(text.frame.dtypes) == {pl.String}
    return text.frame.rows(), text.fields.tolist()


cells = st.text(st.sampled_from('ab;*[]{}" 　年\t'), max_size=4)


files = st.lists(st.lists(cells, min_size=1, max_size=5), min_size=1, max_size=8)


@given(lines=files, end=st.sampled_from(["\n", "\r\n"]), ended=st.booleans())
def test_every_line_is_split_as_python_splits_it(lines, end, ended):
    joined = [",".join(line) for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_text(end.join(joined) + end * ended, encoding="utf-8", newline="")
        found = lines_of(path)
    while joined and not joined[-1]:
        joined.pop()
    split = [line.split(",") for line in joined]
    assert found == (
        [tuple((parts + [None] * 3)[:3]) for parts in split],
        [len(parts) for parts in split],
    )


def test_an_empty_line_in_the_middle_is_one_empty_field(make):
    path = make("1,2,3\n\n4,5,6\n\n\n")
    assert lines_of(path) == ([("1", "2", "3"), ("", None, None), ("4", "5", "6")], [3, 1, 3])


def test_faults_of_ragged_lines_name_their_lines(make):
    text = read_contest_file(make("1,2,3\n1\n1,2,3,4\n"), ABC)
    assert [fault.line for fault in text.ragged_faults()] == [2, 3]
    assert [fault.line for fault in text.ragged_faults(1)] == [2]
    with pytest.raises(InputError, match=r"a\.csv: every line needs 3 fields") as caught:
        text.require_regular("a.csv")
    assert caught.value.total == 2
    assert "line 3: 4 fields instead of 3" in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a.csv.gz"])
def test_encodings_and_names(make, encoding, name):
    data = "顧客,商品,1\r\nあ,い,2".encode(encoding)
    path = make(gzip.compress(data) if name.endswith("gz") else data, name)
    assert lines_of(path)[0] == [("顧客", "商品", "1"), ("あ", "い", "2")]


def test_the_encoding_can_be_given(make):
    path = make("あ,b,c\n".encode("cp932"))
    assert read_contest_file(path, ABC, encoding="shift_jis").frame.row(0) == ("あ", "b", "c")
    with pytest.raises(InputError, match="line 1"):
        read_contest_file(path, ABC, encoding="utf-8")
    with pytest.raises(UnknownNameError):
        read_contest_file(path, ABC, encoding="latin-9")


def test_old_macintosh_line_ends(make):
    assert lines_of(make("1,2,3\r4,5,6\r"))[1] == [3, 3]


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\r\n"])
def test_no_lines_are_no_rows(make, name, content):
    path = make(gzip.compress(content) if name.endswith("gz") else content, name)
    assert lines_of(path) == ([], [])


def test_parquet_columns_count_by_their_place(make, tmp_path):
    path = tmp_path / "a.parquet"
    day = [date(2011, 1, 31), None]
    pl.DataFrame({"x": [17850, 2], "day": day, "p": [2.5, 1.125]}).write_parquet(path)
    assert lines_of(path) == ([("17850", "2011/1/31", "2.5"), ("2", "", "1.125")], [3, 3])
    with pytest.raises(InputError, match="3 column"):
        read_contest_file(path, ("a", "b"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"1,2\0,3\n", "NUL byte on line 1"),
        ("a.csv", b"PK\x03\x04", "a zip archive"),
        ("a.csv.gz", b"1,2,3\n", "not what its name says"),
        ("a.csv.gz", gzip.compress(b"1,2,3\n" * 99, mtime=0)[:-9], "ends too early"),
        ("a.csv", b"1,2,3\n\xff\xff\n", "line 2"),
        ("a.parquet", b"PAR1", "damaged"),
    ],
)
def test_files_that_are_none(make, name, content, message):
    with pytest.raises(InputError, match=message):
        read_contest_file(make(content, name), ABC)


def test_names_that_are_none(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_contest_file(tmp_path / "none.csv", ABC)
    with pytest.raises(UsageError, match="must end in one of"):
        read_contest_file(tmp_path / "a.xlsx", ABC)


plain_cells = st.text(st.sampled_from('ab;*[]{}" 年'), min_size=1, max_size=4)


@given(rows=st.lists(st.tuples(plain_cells, plain_cells), min_size=1, max_size=6))
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_what_is_written_is_read_again(name, rows):
    frame = pl.DataFrame(rows, schema=["a", "b"], orient="row")
    with tempfile.TemporaryDirectory() as folder:
        one, two = Path(folder) / name, Path(folder) / f"other-{name}"
        write_all(
            [contest_file_output(frame, one), contest_file_output(frame.clone(), two, secret=True)]
        )
        assert read_contest_file(one, ("a", "b")).frame.equals(frame)
        assert one.read_bytes() == two.read_bytes()
        assert stat.S_IMODE(two.stat().st_mode) == 0o600


def test_cells_that_would_break_a_line_are_refused(tmp_path):
    bad = ["a,b", "a\nb", "a\rb"] * MAX_SHOWN_VIOLATIONS
    with pytest.raises(InputError, match="60 cell") as caught:
        contest_file_output(
            pl.DataFrame({"a": bad, "n": range(60)}), tmp_path / "a.csv", secret=True
        )
    assert (caught.value.total, len(caught.value.faults)) == (60, MAX_SHOWN_VIOLATIONS)
    assert caught.value.faults[1].line == 2
    assert "a,b" not in str(caught.value)
