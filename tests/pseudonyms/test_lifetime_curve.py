"""Tests of tokumei.pseudonyms.lifetime_curve."""

import pytest

from tokumei.pseudonyms.lifetime_curve import LifetimeCurve, LifetimePoint
from tokumei.pseudonyms.link_rate import LinkRate


def curve_of(highs: dict[tuple[int, float], float], rate: float) -> LifetimeCurve:
    points = [
        LifetimePoint(months, alpha, LinkRate(0, 0, high, 0, 0, 1, 1), 0, 0, 1, {})
        for (months, alpha), high in highs.items()
    ]
    return LifetimeCurve(tuple(points), "best", rate, 12, 1, 1)


@pytest.mark.parametrize(
    ("highs", "longest"),
    [
        ({(1, 0.1): 0.05, (2, 0.1): 0.09, (3, 0.1): 0.11}, 2),
        ({(1, 0.1): 0.05, (1, 0.5): 0.2, (2, 0.1): 0.06, (2, 0.5): 0.3}, None),
        ({(1, 0.1): 0.1}, None),  # under, not at the rate
        ({(6, 0.1): 0.01, (3, 0.1): 0.0}, 6),
    ],
)
def test_the_longest_lifetime_is_under_the_rate_whatever_is_known(highs, longest):
    assert curve_of(highs, 0.1).longest == longest
