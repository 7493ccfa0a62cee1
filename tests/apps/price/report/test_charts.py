"""Tests of tokumei.apps.price.report.charts."""

from __future__ import annotations

from apps.price.report.page_fixtures import session as session
from tokumei.apps.price.report.charts import curve_panel
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.value_curves import value_curve


def test_k_has_whole_ticks(session: PriceSession) -> None:
    chart = curve_panel(value_curve(session, [2, 3]), "JPY").alone("en").to_dict()
    assert chart["layer"][0]["encoding"]["x"]["axis"]["tickMinStep"] == 1
