"""Tests of tokumei.tables.profiling.report.text_report."""

from __future__ import annotations

import json

import pytest

from support.strangers.tables import strangers
from support.strangers.writing import write_stranger
from tokumei.tables.profiling.profile_file import format_profile_file
from tokumei.tables.profiling.profiler import look
from tokumei.tables.profiling.report.html_page import render_profile_fragment, render_profile_page
from tokumei.tables.profiling.report.text_report import profile_lines

SHORTEST = 4
"""Shorter values (a class `A`, a surname alone) occur in any text by chance."""


@pytest.mark.parametrize("table", strangers("first_half")[:12], ids=lambda one: one.file)
def test_no_output_holds_an_identifying_value(table, tmp_path) -> None:
    found = look(str(write_stranger(table, tmp_path)))
    outputs = [
        json.dumps(found.as_json(), ensure_ascii=False),
        "\n".join(
            f"{line.show('en')}\n{line.show('ja')}" for line in profile_lines(found, values=True)
        ),
        render_profile_page(found, lang="ja"),
        render_profile_fragment(found),
        format_profile_file(found),
    ]
    names = {column.name for column in found.columns}
    for column in found.columns:
        if column.identifies or column.pii:
            for value in found.source.frame[column.name].drop_nulls().unique():
                long = len(value) >= SHORTEST and value not in names
                assert not long or not any(value in text for text in outputs), (column.name, value)
