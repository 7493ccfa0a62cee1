"""Tests of tokumei.files.atomic_write."""

from __future__ import annotations

import polars as pl

from tokumei.files.atomic_write import write_all
from tokumei.files.contest_files import contest_file_output


def test_written_without_header_marks_or_carriage_returns(tmp_path):
    frame = pl.DataFrame({"a": ["*", 'x"y'], "b": ["{1;2}", "[1;2]"]})
    write_all([contest_file_output(frame, tmp_path / "a.csv")])
    assert (tmp_path / "a.csv").read_bytes() == b'*,{1;2}\nx"y,[1;2]\n'
