"""Curves: each point is the suite's own rate on the smaller case."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.evaluation_suite import CurveAxis, attack_curve, attack_suite

PEOPLE = sample_table(120, seed=1)
CASE = Comparison.of(PEOPLE, Noise(0.3).anonymize(PEOPLE, rng=Randomness(1)))


def expected(case: Comparison, attack: str) -> float:
    return attack_suite(case, [attack], rng=Randomness(9), expected=True)[attack].rate


@pytest.mark.parametrize(
    ("by", "used"),
    [
        ("qi", list(range(1, 14))),
        ("sa", list(range(1, 13))),
        ("rows", [12, 24, 36, 48, 60, 72, 84, 96, 108, 120]),
    ],
)
def test_steps_end_with_the_whole_case(by: CurveAxis, used: list[int]) -> None:
    points = attack_curve(CASE, by, ["E1", "EUC2"], rng=Randomness(2))
    assert [point.used for point in points] == [u for u in used for _ in range(2)]
    assert [point.attack for point in points[-2:]] == ["E1", "EUC2"]
    for point in points[-2:]:
        assert point.rate == pytest.approx(expected(CASE, point.attack))
    assert all(0 <= p.low <= p.rate <= p.high <= 1 and p.seconds >= 0 for p in points)
    assert points[0].as_json()["by"] == by


def test_fewer_columns_are_the_first_ones() -> None:
    by_qi = attack_curve(CASE, "qi", ["E1"], rng=Randomness(2))[2]
    by_sa = attack_curve(CASE, "sa", ["EUC2"], rng=Randomness(2))[3]
    qi = Table.of(PEOPLE, qi=PEOPLE.schema.qi[:3], sa=PEOPLE.schema.sa)
    sa = Table.of(PEOPLE, qi=PEOPLE.schema.qi, sa=PEOPLE.schema.sa[:4])
    for point, original, attack in ((by_qi, qi, "E1"), (by_sa, sa, "EUC2")):
        case = Comparison(original, CASE.released, CASE.link)
        assert point.rate == pytest.approx(expected(case, attack))


def test_fewer_rows_are_fewer_people_on_both_sides() -> None:
    points = attack_curve(CASE, "rows", ["E1"], rng=Randomness(2))
    assert [round(1 / point.baseline) for point in points] == [p.used for p in points]
    # the same seed takes the same people
    again = attack_curve(CASE, "rows", ["E1"], rng=Randomness(2))
    assert np.allclose([p.rate for p in points], [p.rate for p in again])
