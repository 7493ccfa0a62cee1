"""JSON lines are read as the CSV file of the same data."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from files.reading_helpers import error_of
from support.sql_tables import random_table
from tokumei.files.file_formats import MAX_BYTES
from tokumei.files.json_lines import read_json_lines
from tokumei.files.reading import read_cells, read_frame
from tokumei.files.writing import write_frame


@pytest.mark.parametrize("seed", range(8))
def test_the_same_frame_is_read_from_csv_and_from_json_lines(tmp_path: Path, seed: int) -> None:
    frame = random_table(seed)
    for name in ("a.csv", "a.jsonl", "a.ndjson"):
        write_frame(frame, tmp_path / name)
    wanted = read_frame(tmp_path / "a.csv")
    assert read_frame(tmp_path / "a.jsonl").equals(wanted, null_equal=True)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "a.ndjson").read_bytes()


def test_lines_are_plain_json(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"n": [1, None], "x": [0.5, -0.0], "t": ['a "b"', "東京"], "b": [True, None]}
    )
    write_frame(frame, tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert rows == frame.to_dicts()


def test_cells_keep_their_digits_and_gaps(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '\ufeff{"n": 12345678901234567890, "x": 1.50}\n\n'
        '{"x": 2, "t": "", "b": true}\r\n'
        '{"n": null, "b": false, "t": "007"}\n',
        encoding="utf-8",
    )
    cells = read_cells(path)
    assert cells.to_dict(as_series=False) == {
        "n": ["12345678901234567890", None, None],
        "x": ["1.50", "2", None],
        "t": [None, None, "007"],
        "b": [None, "true", "false"],
    }
    assert read_frame(path)["x"].to_list() == [1.5, 2.0, None]
    _, line_of = read_json_lines(path, MAX_BYTES)
    assert [line_of(row) for row in range(3)] == [1, 3, 4]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "it is not JSON"),
        ("[1, 2]", "it is not an object"),
        ("3", "it is not an object"),
        ('{"a": {"b": 1}}', "one number, date or text"),
        ('{"a": [1]}', "one number, date or text"),
        ('{"a": 1, "a": 2}', "it has a key twice"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": ' + "[" * 100_000, "one number, date or text"),
    ],
)
def test_what_is_no_row_is_told_by_its_line(tmp_path: Path, line: str, word: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"a": 1}}\n{line}\n')
    error = error_of(path)
    assert [fault.line for fault in error.faults] == [2]
    assert word in error.faults[0].message.show("en")


def test_empty_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n\n")
    error_of(path)
    path.write_text("")
    assert "empty" in error_of(path).message.show("en")
