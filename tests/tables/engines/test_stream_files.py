"""Tests of tokumei.tables.engines.stream_files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei.tables.engines.stream_files as stream_files
from tokumei.core.errors import InputError, TokumeiError
from tokumei.tables.engines.stream_files import open_stream


@pytest.mark.parametrize("piece", [16, 2**24])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b\n1,2\n3\n", 3),
        ("a,b\n1,2\n3,4,5\n", 3),
        ('a,b\n"x\ny",2\n"z\nw",1\n5\n', 6),
        ('a,b\n1,2\n3,x"y\n', 3),
    ],
)
def test_lines_that_do_not_fit_are_named(tmp_path, monkeypatch, text, line, piece):
    monkeypatch.setattr(stream_files, "_PIECE_BYTES", piece)
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        open_stream(path).require_whole_lines()
    assert caught.value.faults[0].line == line
    assert f"line {line}" in caught.value.faults[0].message.show("en")
    assert f"{line} 行目" in caught.value.faults[0].message.show("ja")


def test_a_mark_that_is_never_closed_is_told_without_reading_all(tmp_path, monkeypatch):
    """Ten thousand lines behind the mark: one look at each, not one at all of them for each."""
    monkeypatch.setattr(stream_files, "_PIECE_BYTES", 1000)
    monkeypatch.setattr(stream_files, "_MAX_RECORD_BYTES", 100_000)
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n" + '"3,4\n' + "5,6\n" * 10**6, encoding="utf-8")
    seen = []
    lay_out = stream_files.measure_csv_records
    monkeypatch.setattr(
        stream_files,
        "measure_csv_records",
        lambda text, sep: seen.append(len(text)) or lay_out(text, sep),
    )
    with pytest.raises(InputError) as caught:
        open_stream(path).require_whole_lines()
    assert caught.value.faults[0].line == 3
    assert sum(seen) < 110_000


@given(st.text(alphabet='a"\n', max_size=40))
def test_records_end_outside_quotation_marks(text):
    ends = [i + 1 for i, char in enumerate(text) if char == "\n" and text.count('"', 0, i) % 2 == 0]
    assert stream_files._last_record_end(text.encode()) == max(ends, default=0)


@pytest.mark.parametrize("data", [b"a,b\n1,\0\n", b"a,b\n1,\xff\n"])
def test_bytes_that_are_no_text_are_refused(tmp_path, data):
    path = tmp_path / "x.csv"
    path.write_bytes(data)
    with pytest.raises(TokumeiError):
        open_stream(path).require_whole_lines()
