"""Tests of tokumei.files.csv_records."""

from __future__ import annotations

import csv
import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from files.reading_helpers import cells
from tokumei.files.csv_records import CsvRecordSizes, measure_csv_records


def _slow_widths(text: str, sep: str) -> list[int]:
    """Fields of each record by the csv module (a blank line has one)."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sep)
    return [max(len(record), 1) for record in reader]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=6),
    st.sampled_from([",", ";"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_layout_equals_the_csv_module(records, sep, end):
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=sep, lineterminator=end).writerows(records)
    text = stream.getvalue()
    layout = measure_csv_records(text.encode(), sep)
    assert isinstance(layout, CsvRecordSizes)
    assert layout.fields.tolist() == _slow_widths(text, sep)
    starts = np.cumsum([0, *(_lines_in(record) for record in records)])[:-1] + 1
    assert layout.lines.tolist() == starts.tolist()


def _lines_in(record: list[str]) -> int:
    return 1 + sum(cell.count("\n") for cell in record)
