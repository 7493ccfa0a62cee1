from __future__ import annotations

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from independent.cells import word_of
from tokumei.core.person_spellings import merge_person_spellings
from tokumei.core.reader_equality import series_as_read
from tokumei.tables.verification.merged_spellings import merge_spelling

SAME = [
    (
        "ann0x",
        "ann0x ",
        " ann0x",
        "ANN0X",
        "ａｎｎ０ｘ",
        "an\u200bn0x",
        "ann\u30640x".replace("\u3064", ""),
    ),
    ("1", "1.0", "01", "+1", "１", "1.", "1e0", "0.1e1"),
    ("-0.5", "-.5", "−0.50", "-5e-1"),
    ("0", "-0", "0.0", "00", "-0.000", "0e5"),
    (
        "2024-05-01",
        "2024/5/1",
        "2024年5月1日",
        "2024.05.01",
        "2024-05-01 00:00",
        "2024-05-01T00:00:00",
    ),
    ("flu", "flu\u3164", "flu\u115f", "f\u034flu", "flu\ufe0f", "flu\u2800", "Flu ", "f l u"),
    ("straße", "STRASSE", "strasse"),
    ("ΟΔΟΣ", "οδος", "οδοσ"),
    ("か\u3099", "が", "ｶﾞ".replace("ｶﾞ", "が")),
    ("", " ", "\u3164", "\u200b", None),
]
DIFFERENT = [
    "1",
    "10",
    "-1",
    "0.1",
    "1.01",
    "2024-05-01",
    "2024-05-10",
    "2024-5-11",
    "a",
    "b",
    "1a",
    "é",
    "e",
    "0x1",
]
ODD = "abAB01.-+eE/ 年月日ßςΣİıſﬁ　\u200b\u3164\u115f\u034f\ufe0f\u2800\u00a0\t\u0301が\u3099Ⅷ１"


@pytest.mark.parametrize("texts", SAME)
def test_texts_that_are_the_same_to_a_reader_are_one(texts: tuple[str | None, ...]) -> None:
    for spell in (series_as_read, merge_person_spellings):
        assert spell(pl.Series(texts, dtype=pl.String)).n_unique() == 1
    assert len({merge_spelling(text) for text in texts}) == 1
    assert len({word_of(text) for text in texts if text is not None}) == 1


def test_texts_that_are_not_the_same_stay_apart() -> None:
    assert series_as_read(pl.Series(DIFFERENT)).n_unique() == len(DIFFERENT)
    assert len({merge_spelling(text) for text in DIFFERENT}) == len(DIFFERENT)
    assert len({word_of(text) for text in DIFFERENT}) == len(DIFFERENT)


@given(st.lists(st.text(ODD, max_size=9) | st.text(max_size=6), min_size=2, max_size=30))
def test_three_ways_to_tell_agree(texts: list[str]) -> None:
    """Of methods, of verification, and of the independent verifier in the tests."""
    spelled = series_as_read(pl.Series(texts, dtype=pl.String)).to_list()
    assert spelled == [merge_spelling(text) for text in texts]
    assert [text or "" for text in spelled] == [word_of(text, missing=()) for text in texts]


@given(st.text(ODD, max_size=9) | st.text(max_size=6))
def test_a_spelling_is_its_own_spelling(text: str) -> None:
    once = merge_spelling(text)
    assert merge_spelling(once) == once


@given(st.integers(-(10**12), 10**12) | st.floats(-9e14, 9e14, allow_subnormal=False))
def test_numbers_are_one_however_they_are_written(number: float) -> None:
    texts = [str(number), f" {number}", f"+{number}" if number >= 0 else str(number)]
    assume(not 0 < abs(number) < 1e-4)
    assert series_as_read(pl.Series(texts)).n_unique() == 1
