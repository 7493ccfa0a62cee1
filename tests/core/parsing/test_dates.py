"""No cell that is read as a day is passed over by the patterns that are asked first."""

from __future__ import annotations

from itertools import product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.lazy_patterns import LazyPattern
from tokumei.core.parsing import dates
from tokumei.core.parsing.dates import SHORT_DATE_START, DateStyle, detect_date_style

WRITTEN = [one.pattern for one in vars(dates).values() if isinstance(one, LazyPattern)]


NUMBERS = [r"\d{5}(\.\d+)?", r"\d{9,13}", r"\d{6,8}"]


STYLES = [
    DateStyle(day_first=first, named=named, epoch=epoch, month_named=month)
    for first, named, epoch, month in product((False, True), repeat=4)
]


texts = st.one_of(*(st.from_regex(rf"\A(?:{one})") for one in (*WRITTEN, *NUMBERS)))


@given(texts)
def test_every_day_looks_like_one(text: str) -> None:
    cell = pl.Series([text])
    for style in STYLES:
        if style.day(text) is not None:
            assert cell.str.contains(style.date_start_pattern).item(), style


@given(st.lists(texts, max_size=5))
def test_a_style_is_learned_from_what_looks_short(cells: list[str]) -> None:
    texts = pl.Series(cells, dtype=pl.String)
    assert detect_date_style(
        texts.filter(texts.str.contains(SHORT_DATE_START))
    ) == detect_date_style(cells)


@pytest.mark.parametrize(
    "text", ["12", "12.50", "123.4", "-3", "1,200", "男", "東京都", "No", "4711"]
)
def test_usual_numbers_and_words_do_not_look_like_days(text: str) -> None:
    assert not pl.Series([text]).str.contains(DateStyle().date_start_pattern).item()
