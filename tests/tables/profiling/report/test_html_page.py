"""Tests of tokumei.tables.profiling.report.html_page."""

from __future__ import annotations

import polars as pl

from support.strangers.tables import strangers
from support.strangers.writing import write_stranger
from tokumei.core.language import language_context
from tokumei.tables.profiling.profiler import look
from tokumei.tables.profiling.report.html_page import (
    describe_headline,
    render_profile_fragment,
    render_profile_page,
)
from tokumei.tables.profiling.report.text_report import profile_lines

AGES = {"age": [20 + n % 40 for n in range(80)], "sex": ["MF"[n % 2] for n in range(80)]}


def test_no_question_is_not_counted() -> None:
    found = look(pl.DataFrame(AGES))
    assert not found.questions
    told = describe_headline(found)
    assert told.show("en") == "No column identifies people directly"
    assert told.show("ja") == "個人を直接特定する列は見つかりません"


def test_columns_are_counted_with_a_space() -> None:
    mails = {"email": [f"ann{n}@example.org" for n in range(80)]}
    told = describe_headline(look(pl.DataFrame(AGES | mails)))
    assert told.show("en") == "1 column identifies people directly"
    assert told.show("ja") == "個人を直接特定する列が 1 列あります"


def test_pages_and_lines_speak_both_languages(tmp_path) -> None:
    found = look(str(write_stranger(strangers("first_half")[0], tmp_path)))
    page = render_profile_page(found, lang="ja")
    assert '<html lang="ja">' in page
    assert "各列の意味" in page
    assert "What every column is" in page
    with language_context("ja"):
        assert "役割" in render_profile_fragment(found)
    with language_context("en"):
        assert "<th>role</th>" in render_profile_fragment(found)
    lines = profile_lines(found)
    assert any(line.show("en") != line.show("ja") for line in lines)
