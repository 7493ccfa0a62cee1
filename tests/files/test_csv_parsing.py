"""Tests of tokumei.files.csv_parsing."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.errors import InputError
from tokumei.files.csv_parsing import parse_csv


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from('a1,"\n\r'), max_size=30))
def test_any_text_is_read_as_the_csv_module_reads_it_or_refused(tail):
    text = "x,y\n" + tail
    try:
        rows = parse_csv(text.encode(), where="t").frame.rows()
    except InputError:
        return
    body = text.rstrip("\r\n") + "\n"
    if "\r" in body.replace("\r\n", "\n"):
        return  # the csv module takes a lone carriage return for a line end
    wanted = list(csv.reader(io.StringIO(body, newline=""), strict=True))[1:]
    assert [[cell or "" for cell in row] for row in rows] == wanted


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=40),
    st.sampled_from(["", "1", "日"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_ragged_lines_without_quotes(widths, cell, end, ended):
    lines = [",".join([cell] * width) for width in widths]
    text = f"a,b{end}" + end.join(lines) + end * (ended or not lines[-1])
    while len(widths) > 1 and not lines[len(widths) - 1]:
        widths = widths[:-1]  # blank lines at the end are no rows
    if not any(lines):
        return
    wrong = [line for line, width in enumerate(widths, 2) if width != 2]
    if not wrong:
        assert parse_csv(text.encode(), where="t").frame.height == len(widths)
        return
    with pytest.raises(InputError) as caught:
        parse_csv(text.encode(), where="t")
    assert [fault.line for fault in caught.value.faults] == wrong[:20]
    assert caught.value.total == len(wrong)
