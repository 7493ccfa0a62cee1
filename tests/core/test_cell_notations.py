"""Ranges, codes, sets and masks, as people and programs write them."""

from __future__ import annotations

import math
import re
from datetime import date

import pytest

from tokumei.core.cell_notations import (
    mask_to_regexes,
    parse_interval,
    parse_period,
    parse_set_members,
)

NEXT = math.nextafter(40, 0)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("[20;39]", (20, 39)),
        ("[20, 39]", (20, 39)),
        ("[20,39]", (20, 39)),
        ("[20, 40[", (20, NEXT)),
        ("[20,40)", (20, NEXT)),
        ("(20,40]", (math.nextafter(20, 99), 40)),
        ("]20, 40]", (math.nextafter(20, 99), 40)),
        ("20-39", (20, 39)),
        ("20 – 39", (20, 39)),
        ("20~39", (20, 39)),
        ("20～39", (20, 39)),
        ("２０〜３９歳", (20, 39)),
        ("20..39", (20, 39)),
        ("20…39", (20, 39)),
        ("20 to 39", (20, 39)),
        ("[20-39]", (20, 39)),
        ("-5--1", (-5, -1)),
        ("-5-10", (-5, 10)),
        ("1.5-2.25", (1.5, 2.25)),
        ("20代", (20, math.nextafter(30, 0))),
        (">=90", (90, math.inf)),
        ("≥90", (90, math.inf)),
        ("90+", (90, math.inf)),
        ("90歳以上", (90, math.inf)),
        (">90", (math.nextafter(90, 99), math.inf)),
        ("<40", (-math.inf, NEXT)),
        ("40未満", (-math.inf, NEXT)),
        ("≤20", (-math.inf, 20)),
        ("<=20", (-math.inf, 20)),
        ("[90;inf]", (90, math.inf)),
        ("2024-01-01~2024-01-31", (738886, 738916)),
        ("[20;20]", (20, 20)),
    ],
)
def test_a_range_in_any_notation(text: str, ends: tuple[float, float]) -> None:
    assert parse_interval(text) == ends


@pytest.mark.parametrize(
    "text", ["2024-01", "39-20", "20", "-20", "a-b", "", "[20]", "(20-39)", "[20;20[", "090-1234-1"]
)
def test_other_text_is_no_range(text: str) -> None:
    assert parse_interval(text) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2024-Q4", date(2024, 10, 1), date(2024, 12, 31)),
        ("2023", date(2023, 1, 1), date(2023, 12, 31)),
        ("2020s", date(2020, 1, 1), date(2029, 12, 31)),
    ],
)
def test_a_period_is_its_days(text: str, first: date, last: date) -> None:
    ends = parse_period(text)
    assert ends is not None
    assert (ends[0], math.floor(ends[1])) == (first.toordinal(), last.toordinal())


@pytest.mark.parametrize("text", ["2024-13", "2024-Q5", "0000", "24", "2024-01-01"])
def test_other_text_is_no_period(text: str) -> None:
    assert parse_period(text) is None


@pytest.mark.parametrize("text", ["{a;b, c}", "{a, b, c}", "{a,b, c}", "{a|b, c}", "['a', b, c]"])
def test_the_members_of_a_set_are_known_values(text: str) -> None:
    assert parse_set_members(text, {"a", "b, c"}.__contains__) == ["a", "b, c"]


@pytest.mark.parametrize("text", ["{a;d}", "a;b", "{}", "{"])
def test_a_set_of_strangers_is_none(text: str) -> None:
    assert parse_set_members(text, {"a", "b, c"}.__contains__) is None


def test_masks_stand_for_characters_or_for_any_end() -> None:
    exact, loose = mask_to_regexes("13.**")
    assert [bool(re.search(exact, text)) for text in ("13.05", "13.5", "13x05")] == [True, 0, 0]
    assert re.search(loose, "13.5678")
    assert mask_to_regexes("09*-1") == ["^09.\\-1$"]
    assert mask_to_regexes("***") == mask_to_regexes("abc") == []
