"""Tests of tokumei.tables.profiling.reading.csv_source."""

from __future__ import annotations

import pytest

from tokumei.core.errors import InputError
from tokumei.tables.profiling.reading.source import read_source


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
