"""Reading text as codes gives the same table as reading it as text, whatever the file is like."""

from __future__ import annotations

import csv
import gzip
import io
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import InputError
from tokumei.files.column_types import is_dictionary_encoded
from tokumei.files.reading import detect_file_separator
from tokumei.tables.data.reading import read_table

CELLS = ["", "a", "Ab", "あ", "12", "-3", "007", "1.5", "1e3", "2024-01-02", "*", "[1;2]", " x ",
         "a,b", "c;d", 'q"u', "two\nlines", "+1", "."]  # fmt: skip
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from(CELLS), min_size=width, max_size=width), min_size=1, max_size=12
    )
)


def text_of(rows: list[list[str]], sep: str, ends: str, quoting: int) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sep, lineterminator=ends, quoting=quoting)
    writer.writerow([f"c{j}" for j in range(len(rows[0]))])
    writer.writerows(rows)
    return out.getvalue()


def read_both(data: bytes, name: str, **options: str) -> list[pl.DataFrame | str]:
    found: list[pl.DataFrame | str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        for compact in (False, True):
            try:
                table = read_table(path, compact=compact, **options)
                found.append(table.with_text().frame)
            except InputError as err:
                found.append(str(err))
    return found


@given(
    rows=tables,
    sep=st.sampled_from([",", ";", "\t"]),
    ends=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp932", "utf-16"]),
    packed=st.booleans(),
    times=st.sampled_from([1, 5]),
)
def test_both_ways_of_reading_agree(
    rows: list[list[str]],
    sep: str,
    ends: str,
    quoting: int,
    encoding: str,
    packed: bool,
    times: int,
) -> None:
    data = text_of(rows * times, sep, ends, quoting).encode(encoding)
    name = "a.csv.gz" if packed else "a.csv"
    plain, compact = read_both(gzip.compress(data) if packed else data, name, sep=sep)
    assert type(plain) is type(compact)
    if isinstance(plain, pl.DataFrame) and isinstance(compact, pl.DataFrame):
        assert plain.schema == compact.schema
        assert plain.equals(compact)
    else:
        assert plain == compact


@pytest.mark.parametrize(
    "text",
    ["a,b\n1\n", "a,b\n1,2,3\n", 'a,b\nx,"y\n', "a,b\n", "a,a\n1,2\n", 'a\nx"y\n', "a,b\n\n"],
)
def test_what_is_wrong_is_told_in_the_same_words(text: str) -> None:
    plain, compact = read_both(text.encode(), "a.csv")
    assert isinstance(plain, str)
    assert plain.split(": ", 1)[1] == compact.split(": ", 1)[1]


def frame_of(tmp_path: Path, cells: list[str]) -> pl.DataFrame:
    path = tmp_path / "a.csv"
    path.write_text("c\n" + "".join(f"{cell}\n" for cell in cells))
    return read_table(path, qi=["c"], compact=True).frame


def test_text_that_repeats_itself_is_compact(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, ["x", "y"] * 10)
    assert is_dictionary_encoded(frame.dtypes[0])
    assert frame.n_chunks() == 1
    assert frame_of(tmp_path, [f"x{i}" for i in range(20)]).dtypes == [pl.String]
    assert frame_of(tmp_path, ["1", "2"] * 10).dtypes == [pl.Int64]
    assert frame_of(tmp_path, ["2024-01-01"] * 10).dtypes == [pl.Date]


@pytest.mark.parametrize("number", [65_535, 65_536])
def test_a_column_that_only_began_with_repetitions(tmp_path: Path, number: int) -> None:
    cells = ["x"] * 3000 + [f"v{i}" for i in range(number - 1)]
    assert frame_of(tmp_path, cells)["c"].cast(pl.String).to_list() == cells


def test_a_number_that_stops_being_one(tmp_path: Path) -> None:
    cells = ["1"] * 3000 + ["x1"]
    assert frame_of(tmp_path, cells)["c"].cast(pl.String).to_list() == cells


@pytest.mark.parametrize("sep", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_the_separator_is_found_in_the_header_alone(
    tmp_path: Path, sep: str, encoding: str, name: str
) -> None:
    wide = "ソ" * 70_000
    data = f'"{wide}\n,;,;"{sep}b{sep}c\n1{sep}2{sep}3;,;,;,;,;,;,;,\n'.encode(encoding)
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert detect_file_separator(path) == sep
    assert detect_file_separator(path, encoding=encoding) == sep
