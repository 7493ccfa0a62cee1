"""Tests of tokumei.apps.cli.price.cost_messages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tokumei.apps.cli.price.cost_messages import (
    describe_cut_off,
    describe_interval,
    describe_search_cost,
)

PROBLEM = SimpleNamespace(currency="JPY", money=float)


@pytest.mark.parametrize(
    ("left_out", "lost", "en", "ja"),
    [
        (
            ["a"],
            None,
            "The cut-off of ¥5 left out 1 pattern; it costs at most ¥20 of value.",
            "下限 ¥5 により 1 個のパターンを省きました。それによる価値の損失は最大 ¥20 です。",
        ),
        (
            ["a", "b"],
            3,
            "The cut-off of ¥5 left out 2 patterns; without it the best recoding is worth ¥3 more.",
            "下限 ¥5 により 2 個のパターンを省きました。下限がなければ、最適な加工の価値は ¥3 高く"
            "なります。",
        ),
    ],
)
def test_a_cut_off_says_what_it_costs(left_out: list[str], lost: Any, en: str, ja: str) -> None:
    cost: Any = SimpleNamespace(problem=PROBLEM, at_most=20, left_out=left_out, lost=lost)
    message = describe_cut_off(cost, 5)
    assert (message.show("en"), message.show("ja")) == (en, ja)


@pytest.mark.parametrize(
    ("same", "en", "ja"),
    [
        (True, "(¥2 at each attribute's median). The choice stays", "最適な選択は変わりません。"),
        (False, "Another choice would then be the best.", "その場合、最適な選択は変わります。"),
    ],
)
def test_an_interval_says_whether_the_choice_stays(same: bool, en: str, ja: str) -> None:
    interval: Any = SimpleNamespace(value=(1, 2, 3), same_choice=(True, same))
    message = describe_interval(interval, "JPY")
    assert "lies between ¥1 and ¥3, if" in message.show("en")
    assert en in message.show("en")
    assert message.show("ja").endswith(ja)


@pytest.mark.parametrize(("sure", "warned"), [(True, False), (False, True)])
def test_a_search_says_what_it_will_cost(sure: bool, warned: bool) -> None:
    cost: Any = SimpleNamespace(tables=1234, seconds=0.25, bytes=2_500_000, sure=sure)
    text = describe_search_cost(cost).show("en")
    assert text.startswith("A search is expected to count 1,234 tables in 0.25 CPU s and to need")
    assert "2.5 MB" in text
    assert ("the proof may take much longer" in text) is warned
