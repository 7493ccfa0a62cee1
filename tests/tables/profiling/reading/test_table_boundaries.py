"""Tests of tokumei.tables.profiling.reading.table_boundaries."""

from __future__ import annotations

import pytest

from tables.profiling.reading_helpers import ROWS
from tokumei.tables.profiling.reading.table_boundaries import find_table_bounds, guess_separator


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


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([["氏名", "性別", "生年月日"], *ROWS], 0),
        (ROWS, None),
        ([["6.3e-03", "2.0e+01"], ["1", "2"], ["3", "4"]], None),
        ([["名簿", "", ""], ["", "", ""], ["氏名", "性別", "生年月日"], *ROWS], 2),
        ([["人", "属性", "属性"], ["氏名", "性別", "生年月日"], *ROWS], 1),
        ([["店", "2023", "2024"], ["a", "10", "20"], ["b", "30", "40"]], 0),
    ],
)
def test_the_line_of_names(rows: list[list[str]], header: int | None) -> None:
    assert find_table_bounds(rows, 3).header == header
