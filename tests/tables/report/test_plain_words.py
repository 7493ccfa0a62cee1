from __future__ import annotations

import pytest

from tokumei.core.attack_rates import AttackRate
from tokumei.core.measure import ATTACK_LIMITS, Level, Score
from tokumei.tables.registry import measures


@pytest.mark.parametrize(
    ("name", "value", "scale", "words"),
    [
        ("S1", 5.0, None, "shared by at least 5 rows"),
        ("S1", 1.0, None, "the only one"),
        ("S2", 7.27, None, "7.27 rows"),
        ("U1", 3175.0, 300000.0, "3,175 on average (1.1 % of their level)"),
        ("U1", 1e-10, 300000.0, "unchanged"),
        ("U2", 14485.0, None, "14,485 on average."),
        ("U3", 10.2, 6.0, "10.2 rows on average (170 % of the mean count)"),
        ("U4", 0.156, None, "0.156"),
        ("U5", 0.0514, None, "5.1 % of its column's range"),
        ("U5", 0.0, None, "No sensitive value is changed"),
        ("U6", 200.0, 2000.0, "200 rows were deleted (10 % of the original)"),
        ("rows_kept", 0.9, None, "90 % of the rows are kept"),
        ("gcp_sets", 0.155, None, "15.5 % of its column's domain"),
        ("ncp", 0.155, None, "15.5 % of its column's domain"),
        ("kl_divergence", 0.25, None, "0.25 nats"),
        ("sample_uniques", 0.29, None, "29 % of the rows are the only ones"),
        ("sample_uniques", 0.0, None, "No row is the only one"),
        ("classification", 0.4, None, "right for 40 % of the rows."),
    ],
)
def test_readings(name: str, value: float, scale: float | None, words: str) -> None:
    assert words in measures.get(name).reading(Score(value), scale).show("en")


def test_a_classifier_is_told_beside_its_baseline() -> None:
    text = measures.get("classification").reading(Score(0.4, baseline=0.3))
    said = "right for 40 % of the rows (always naming the commonest value: 30 %)"
    assert said in text.show("en")
    assert "30 %）" in text.show("ja")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("S1", 5, Level.GOOD),
        ("S1", 2, Level.MID),
        ("S1", 1, Level.BAD),
        ("U5", 0.02, Level.GOOD),
        ("U5", 0.1, Level.MID),
        ("U5", 0.11, Level.BAD),
        ("rows_kept", 1.0, Level.GOOD),
        ("rows_kept", 0.9, Level.MID),
        ("rows_kept", 0.89, Level.BAD),
        ("dm", 3.0, None),
    ],
)
def test_levels_at_their_limits(name: str, value: float, expected: Level | None) -> None:
    assert measures.get(name).level(Score(value)) is expected


def test_relative_levels_need_their_scale() -> None:
    level = measures.get("U1").level
    assert level(Score(5.0)) is None
    assert level(Score(5.0), 1000.0) is Level.GOOD
    assert level(Score(5.0), 100.0) is Level.MID
    assert level(Score(5.0), 10.0) is Level.BAD


def test_an_attack_is_judged_by_the_upper_end_of_its_interval() -> None:
    low = AttackRate(0.08, 0.07, 0.10, 0.01, 8, 100, 100, 100)
    assert low.rate < ATTACK_LIMITS.good < low.high
    assert ATTACK_LIMITS.level(low.high) is Level.MID


def test_symbols_differ_in_shape() -> None:
    assert len({light.symbol for light in Level}) == 3
