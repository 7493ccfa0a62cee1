"""Pages on unicity and lifetimes: what they say, that they are whole, safe, and drawn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from support.pages import open_page
from tokumei.core.messages import language_context
from tokumei.files.atomic_write import write_all
from tokumei.kernels.unicity.unicity import Unicity
from tokumei.pseudonyms.lifetime import LifetimeCurve, LifetimePoint
from tokumei.pseudonyms.link_rate import LinkRate
from tokumei.pseudonyms.report.lifetime_page import lifetime_outputs, lifetime_page
from tokumei.report.curve_page import CurvePage, render_curve_page
from tokumei.report.unicity_report import describe_granularity, unicity_outputs, unicity_page

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


CURVE = curve({(1, 0.1): 0.01, (1, 0.5): 0.04, (6, 0.1): 0.05, (6, 0.5): 0.3})


def both(text: str) -> str:
    """The words of a page without its tags, spaces made plain."""
    return re.sub(r"<[^>]+>", "", text.replace("\u00a0", " "))


def words(page: CurvePage) -> str:
    return both(render_curve_page(page).partition('<script type="application/json"')[0])


def test_granularities_in_words():
    assert describe_granularity("item:2,month") == ("item (2 characters) and month",
                                           "商品の先頭2字・月")  # fmt: skip
    assert describe_granularity("colour") == ("colour", "colour")


def test_unicity_in_words_and_figures():
    page = words(unicity_page(UNICITY))
    assert "2 known purchases (item and day) single out 98 % of the customers" in page
    assert "購買 2 件 (商品・日) を知られると、顧客の 98 % が一人に絞られる" in page
    for figure in ("70 %", "60–80 %", "98 %", "95–99 %", "20 draws per customer"):
        assert figure in page
    assert "–" in both(page)  # nobody has two points of month and prefix
    (alone,) = [unicity_page(UNICITY[:1]).headline.en]
    assert alone == "One known purchase (item and day) singles out 70 % of the customers"


def test_unicity_leaves_four_files(tmp_path: Path):
    with language_context("ja"):
        write_all(unicity_outputs(UNICITY, tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "report.html", "unicity.csv", "unicity.json", "unicity.svg"
    ]  # fmt: skip
    assert json.loads((tmp_path / "unicity.json").read_text()) == [u.as_json() for u in UNICITY]
    assert pl.read_csv(tmp_path / "unicity.csv")["share"].to_list() == [0.7, 0.98, 0.01]
    assert '<html lang="ja">' in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "知られている点の数" in (tmp_path / "unicity.svg").read_text(encoding="utf-8")


def test_a_lifetime_is_recommended():
    page = words(lifetime_page(CURVE))
    assert "Pseudonyms may be used for 1 month: fewer than 10 % are linked" in page
    assert "仮名は 1 か月まで: 結び付くのは 10 % 未満" in page
    assert "names the customer of 4 % of them (95 % interval 2–6 %)" in page
    assert "day = 15" in page
    shaded = re.findall(r'<tr class="chosen">\s*<th scope="row">.*?</th>', render(CURVE), re.S)
    assert [both(row).strip() for row in shaded] == ["1 month1 か月"] * 2


def render(found: LifetimeCurve) -> str:
    return render_curve_page(lifetime_page(found))


def test_none_is_recommended():
    page = words(lifetime_page(curve({(1, 0.25): 0.6, (2, 0.25): 0.9})))
    assert "No lifetime keeps the link rate under 10 %" in page
    assert "names at best the customer of 60 % of them" in page
    assert 'class="chosen"' not in render(curve({(1, 0.25): 0.6}))


def test_halves_have_no_share_of_rows():
    page = lifetime_page(curve({(1, None): 0.2, (2, None): 0.3}))
    assert [panel.name for panel in page.panels] == ["risk-lifetime", "utility-lifetime"]
    assert page.panels[0].rows[0]["en"] == "first half of the months known"


def test_a_curve_leaves_its_files(tmp_path: Path):
    write_all(lifetime_outputs(CURVE, tmp_path))
    charts = ["risk-knowledge.svg", "risk-lifetime.svg", "utility-lifetime.svg"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "lifetime.csv", "lifetime.json", "report.html", *charts
    ]  # fmt: skip
    assert json.loads((tmp_path / "lifetime.json").read_text()) == CURVE.as_json()
    frame = pl.read_csv(tmp_path / "lifetime.csv")
    assert frame["link_rate"].to_list() == [0.01, 0.04, 0.05, 0.3]
    for name in charts:
        svg = (tmp_path / name).read_text(encoding="utf-8")
        assert not re.search(r"<script|<image|href=", svg)
    assert "limit 10%" in (tmp_path / "risk-lifetime.svg").read_text(encoding="utf-8")


def test_hostile_names_stay_text():
    hostile = "</script><img src=x onerror=alert(1)>"
    page = render_curve_page(unicity_page([Unicity(hostile, 1, 0.5, 0.4, 0.6, 9, 9, 0)]))
    assert "<img src=x" not in page
    assert page.count("</script>") == 3  # payload, chart library, page script


def test_the_same_curve_gives_the_same_bytes():
    assert render(CURVE) == render(CURVE)


@pytest.fixture(params=["unicity", "lifetime"])
def opened(request: Any, chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """A page, open and drawn; afterwards nothing was requested and nothing complained."""
    made = unicity_page(UNICITY) if request.param == "unicity" else lifetime_page(CURVE)
    path = tmp_path / "report.html"
    path.write_text(render_curve_page(made), encoding="utf-8")
    with open_page(chromium, path.as_uri()) as page:
        yield page, made


@pytest.mark.browser
def test_charts_are_drawn_in_both_languages(opened: Any):
    page, made = opened
    for lang, button in (("en", "English"), ("ja", "日本語")):
        page.get_by_role("button", name=button).click()
        page.wait_for_function(
            "lang => [...document.querySelectorAll('.chart')].every(c => c.dataset.drawn === lang)",
            arg=lang,
        )
        assert page.locator(".chart svg").count() == len(made.panels)
        assert page.title() == made.title.show(lang)
        wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert wide
