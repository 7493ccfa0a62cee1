"""Tests of tokumei.apps.price.value_curves."""

from __future__ import annotations

from apps.price.session_fixtures import ROWS
from apps.price.session_fixtures import people as people
from apps.price.session_fixtures import price_lists as price_lists
from apps.price.session_fixtures import session as session
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.value_curves import value_curve


def test_the_curve_only_falls(session: PriceSession) -> None:
    points = value_curve(session, [2, 5, 9, 30, ROWS])
    values = [point.answer["value"] for point in points]
    assert values == sorted(values, reverse=True)
    assert all(point.answer["k"] >= point.asked_k for point in points)
    assert (points[-1].words, values[-1]) == (0, 0)
