"""Pages on unicity and lifetimes: what they say, that they are whole, safe, and drawn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pages.curve_pages_helpers import UNICITY, both, curve, render, words
from support.pages import open_page
from tokumei.files.atomic_write import write_all
from tokumei.pages.curve_page import render_curve_page
from tokumei.pages.unicity_report import unicity_page
from tokumei.pseudonyms.report.lifetime_page import lifetime_outputs, lifetime_page

CURVE = curve({(1, 0.1): 0.01, (1, 0.5): 0.04, (6, 0.1): 0.05, (6, 0.5): 0.3})


def test_a_lifetime_is_recommended():
    page = words(lifetime_page(CURVE))
    assert "Pseudonyms may be used for 1 month: fewer than 10 % are linked" in page
    assert "仮名は 1 か月まで: 結び付くのは 10 % 未満" in page
    assert "names the customer of 4 % of them (95 % interval 2–6 %)" in page
    assert "day = 15" in page
    shaded = re.findall(r'<tr class="chosen">\s*<th scope="row">.*?</th>', render(CURVE), re.S)
    assert [both(row).strip() for row in shaded] == ["1 month1 か月"] * 2


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
    assert "limit 10 %" in (tmp_path / "risk-lifetime.svg").read_text(encoding="utf-8")


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
