"""What the tests split from test_curve_pages share."""

from __future__ import annotations

import re

from tokumei.kernels.unicity.unicity import Unicity
from tokumei.pages.curve_page import CurvePage, render_curve_page
from tokumei.pseudonyms.lifetime_curve import LifetimeCurve, LifetimePoint
from tokumei.pseudonyms.link_rate import LinkRate
from tokumei.pseudonyms.report.lifetime_page import lifetime_page

UNICITY = [
    Unicity("item,day", 1, 0.7, 0.6, 0.8, 100, 100, 0),
    Unicity("item,day", 2, 0.98, 0.95, 0.99, 90, 100, 20),
    Unicity("item:2,month", 1, 0.01, 0.0, 0.05, 100, 100, 0),
]


def point(months: int, alpha: float | None, rate: float) -> LifetimePoint:
    links = LinkRate(rate, rate / 2, min(1.0, rate * 1.5), 0.01, rate * 50, 50, 40)
    return LifetimePoint(months, alpha, links, rate, rate / 3, 9.5, {"itemcf": 0.5 / months})


def curve(rates: dict[tuple[int, float | None], float], rate: float = 0.1) -> LifetimeCurve:
    points = tuple(point(months, alpha, found) for (months, alpha), found in rates.items())
    return LifetimeCurve(points, "best", rate, 12, 40, 500, {"day": 15})


def both(text: str) -> str:
    """The words of a page without its tags, spaces made plain."""
    return re.sub(r"<[^>]+>", "", text.replace("\u00a0", " "))


def words(page: CurvePage) -> str:
    return both(render_curve_page(page).partition('<script type="application/json"')[0])


def render(found: LifetimeCurve) -> str:
    return render_curve_page(lifetime_page(found))
