"""Tests of tokumei.core.formatting."""

from __future__ import annotations

import pickle
from datetime import date, datetime

import numpy as np
import pytest

from support.made_up_language import made_up as made_up
from support.made_up_language import write_language
from tokumei.core.formatting import (
    FormattedValue,
    format_number,
    format_percent,
    format_percent_range,
    format_short_number,
    format_value,
    localize_number,
)
from tokumei.core.language import language_context
from tokumei.core.messages import Message


@pytest.mark.parametrize(
    ("value", "en", "ja", "xx"),
    [
        (0.0, "0", "0", "0"),
        (950.0, "950", "950", "9,5xh"),
        (49000.0, "49k", "4.9万", "490xh"),
        (1.5e6, "1.5M", "150万", "1,5xm"),
        (2.0e9, "2B", "20億", "2000xm"),
        (-49000.0, "-49k", "-4.9万", "-490xh"),
    ],
)
def test_short_numbers_have_the_units_of_the_language(
    made_up: str, value: float, en: str, ja: str, xx: str
) -> None:
    assert format_short_number(value, "en") == en
    assert format_short_number(value, "ja") == ja
    assert format_short_number(value, made_up) == xx


@pytest.mark.parametrize(
    ("share", "en", "xx"),
    [
        (0.0487, "4.9 %", "4,9%"),
        (-0.0487, "−4.9 %", "−4,9%"),
        (-1e-12, "0 %", "0%"),
        (0.5, "50 %", "50%"),
        (1.0, "100 %", "100%"),
        (0.9999, "99.9 %", "99,9%"),
        (0.00123, "0.12 %", "0,12%"),
        (1e-6, "<0.001 %", "<0,001%"),
        (0.0, "0 %", "0%"),
        (float("nan"), "– %", "–%"),
    ],
)
def test_percentages(made_up: str, share: float, en: str, xx: str) -> None:
    assert format_percent(share) == en
    assert format_percent(share, made_up) == xx
    with language_context(made_up):
        assert format_percent(share) == xx
        assert format_percent(share, "en") == en


def test_ranges_of_percentages(made_up: str) -> None:
    assert format_percent_range(0.044, 0.054) == "4.4–5.4 %"
    assert format_percent_range(0.044, 0.054, made_up) == "4,4–5,4%"


@pytest.mark.parametrize(
    ("value", "en", "xx"),
    [
        (319697.65, "319,698", "319.698"),
        (1234567, "1,234,567", "1.234.567"),
        (3.14159, "3.14", "3,14"),
        (0.5, "0.5", "0,5"),
        (0.000012, "1.2e-05", "1,2e-05"),
        (-1234.5, "-1,234", "-1.234"),
        (float("inf"), "–", "–"),
    ],
)
def test_numbers(made_up: str, value: float, en: str, xx: str) -> None:
    assert format_number(value) == en
    assert format_number(value, made_up) == xx


@pytest.mark.parametrize(
    ("sample", "written"),
    [
        ("1.234,5", "1.234.567,8"),
        ("1 234,5", "1 234 567,8"),
        ("1'234.5", "1'234'567.8"),
        ("1,234.5", "1,234,567.8"),
        ("1234,5", "1234567,8"),
    ],
)
def test_marks_are_taken_from_the_sample_of_the_language(
    tmp_path, monkeypatch, sample: str, written: str
) -> None:
    entry = f'msgctxt "how a number is written"\nmsgid "1,234.5"\nmsgstr "{sample}"\n'
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    monkeypatch.setenv("TOKUMEI_LOCALES", str(write_language(tmp_path, "yy", head + entry)))
    assert localize_number("1,234,567.8", "yy") == written


@pytest.mark.parametrize(
    ("value", "spec", "en", "xx"),
    [
        (0.0487, "percent", "4.9 %", "4,9%"),
        (319697.65, "number", "319,698", "319.698"),
        (1.5e6, "short", "1.5M", "1,5xm"),
        (date(2026, 1, 31), "date", "2026-01-31", "31.01.2026"),
        (datetime(2026, 1, 31, 9, 5), "date", "2026-01-31 09:05", "31.01.2026 09.05"),
        (date(2026, 1, 31), "%d %m", "31 01", "31 01"),
        (1234.5, ",.2f", "1,234.50", "1.234,50"),
        (np.int64(1234), ",", "1,234", "1.234"),
        (1234, "", "1234", "1234"),
        (0.5, "", "0.5", "0,5"),
        (None, "", "None", "None"),
    ],
)
def test_values_of_messages(made_up: str, value: object, spec: str, en: str, xx: str) -> None:
    assert format_value(value, spec, "en") == en
    assert format_value(value, spec, made_up) == xx
    sentence = Message(f"{{value:{spec}}}" if spec else "{value}", value=value)
    assert (sentence.show(), sentence.show(made_up)) == (en, xx)


def test_a_figure_as_a_value(made_up: str) -> None:
    share = FormattedValue(format_percent_range, 0.044, 0.054)
    sentence = Message("the file {name} has no column {column}", name=share, column="age")
    assert sentence.show() == "the file 4.4–5.4 % has no column age"
    assert sentence.show(made_up) == "age xex 4,4–5,4%"
    assert pickle.loads(pickle.dumps(share)) == share
