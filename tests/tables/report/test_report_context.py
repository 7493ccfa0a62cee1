"""Tests of tokumei.tables.report.report_context."""

from __future__ import annotations

import pytest

from tokumei.tables.registry import anonymizers
from tokumei.tables.report.report_context import (
    build_attack_table,
    describe_left_open,
    describe_step,
)


@pytest.mark.parametrize("name", anonymizers.names())
def test_every_method_says_what_it_leaves_open(name):
    said = describe_left_open({"method": name})
    assert said is not None
    assert said.show("en").endswith(".")
    assert said.show("ja").endswith("。")


ATTACKS = ("E1", "E2", "E3", "E4", "EUC1")


# The paper's Table 15: releases D1 to D12.
PAPER = [
    (0.0326, 0.8238, 1.0000, 0.1858, 0.3010),
    (0.6485, 0.6507, 0.0012, 0.0022, 0.4780),
    (0.1990, 0.2412, 0.2482, 0.0511, 0.2070),
    (0.1894, 0.2401, 0.2526, 0.0455, 0.2110),
    (0.0000, 0.0223, 0.0004, 0.0002, 0.0743),
    (0.0000, 0.0223, 0.0004, 0.0002, 0.0743),
    (0.0023, 0.0223, 0.0091, 0.0014, 0.8762),
    (0.0000, 0.0000, 0.0004, 0.0002, 0.0011),
    (0.0001, 0.0002, 0.0004, 0.0000, 0.0024),
    (0.0060, 0.0066, 0.0001, 0.0005, 0.0043),
    (0.0180, 0.0164, 0.0001, 0.0001, 0.0080),
    (0.0214, 0.0214, 0.0004, 0.0001, 0.0080),
]


def test_the_papers_table_15() -> None:
    rates = [dict(zip(ATTACKS, row, strict=True)) for row in PAPER]
    table = build_attack_table([f"D{i + 1}" for i in range(12)], rates)
    assert [line.attack for line in table.lines] == list(ATTACKS)
    means = [line.mean for line in table.lines]
    assert means == pytest.approx([0.0931, 0.1723, 0.1261, 0.0240, 0.1871], abs=1.1e-4)
    assert [line.wins for line in table.lines] == [2, 3, 3, 0, 5]  # D12 has two best
    # The paper took its deviations over the twelve rates and their mean, divided by 13.
    papers = [line.sd * (11 / 13) ** 0.5 for line in table.lines]
    assert papers == pytest.approx([0.1741, 0.2578, 0.2681, 0.0499, 0.2426], abs=1e-4)


def test_by_hand() -> None:
    table = build_attack_table(["a", "b"], [{"E1": 0.2, "E2": 0.4}, {"E1": 0.6, "E3": 0.0}])
    first, second, third = table.lines
    assert (first.rates, first.best, first.wins) == ((0.2, 0.6), (False, True), 1)
    assert first.mean == pytest.approx(0.4)
    assert first.sd == pytest.approx(0.08**0.5)  # ((.2 − .4)² + (.6 − .4)²) / 1
    assert (second.rates, second.best, second.sd) == ((0.4, None), (True, False), 0.0)
    assert third.wins == 0


def test_nobody_wins_where_nothing_is_found() -> None:
    (line,) = build_attack_table(["a"], [{"E1": 0.0}]).lines
    assert line.best == (False,)


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("mondrian", {"k": 7}, "at least 7 rows"),
        ("local", {"k": 3, "conditions": ["l=2"]}, "at least 3 rows, and every class meets l=2"),
        ("flash", {"person": "id"}, "has rows of at least 5 people"),
        ("noise", {"scale": 0.1}, "Laplace noise of 10 % of a standard deviation"),
        ("noise", {"scale": 3, "unit": "absolute", "columns": ["a"]}, "noise of 3 to a"),
        ("yamaoka", {"share": 0.5}, "for 50 % of the rows; the values stay"),
        ("unify", {}, "every quasi-identifier after the sixth"),
        ("unify", {"columns": ["a", "b"], "value": "x"}, "Set a, b to “x”"),
        ("microaggregate", {}, "same quasi-identifiers"),
        ("microaggregate", {"groups": "mdav", "k": 4}, "4 or more similar rows"),
        ("swap", {}, "Shuffle each sensitive column"),
        ("delete", {"share": 0.2}, "Delete 20 % of the rows at random"),
        ("delete", {"choose": "exposed"}, "most exposed 10 %"),
    ],
)
def test_steps_in_words(name: str, params: dict[str, object], words: str) -> None:
    (step,) = anonymizers.build(name, params).describe()
    text = describe_step(step)
    assert words in text.show("en")
    assert text.show("ja") != text.show("en")


@pytest.mark.parametrize("name", anonymizers.names())
def test_every_method_says_what_it_did(name: str) -> None:
    (step,) = anonymizers.build(name).describe()
    assert not describe_step(step).show("en").startswith(f"{name} (")


def test_foreign_methods_are_listed() -> None:
    assert describe_step({"method": "mine", "a": 1}).show("en") == "mine (a = 1)"
    assert describe_step({"method": "noise"}).show("en") == "noise"  # parameters of another version
