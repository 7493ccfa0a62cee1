"""The headline of a look's page counts what there is to count."""

from __future__ import annotations

import polars as pl

from tokumei.tables.profiling.profiler import look
from tokumei.tables.profiling.report.html_page import describe_headline

AGES = {"age": [20 + n % 40 for n in range(80)], "sex": ["MF"[n % 2] for n in range(80)]}


def test_no_question_is_not_counted() -> None:
    found = look(pl.DataFrame(AGES))
    assert not found.questions
    told = describe_headline(found)
    assert told.en == "No column says who people are"
    assert told.ja == "個人を直接特定する列は見つかりません"


def test_columns_are_counted_with_a_space() -> None:
    mails = {"email": [f"ann{n}@example.org" for n in range(80)]}
    told = describe_headline(look(pl.DataFrame(AGES | mails)))
    assert told.en == "1 column says who people are"
    assert told.ja == "個人を直接特定する列が 1 列あります"
