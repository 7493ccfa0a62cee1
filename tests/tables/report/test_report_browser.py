from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.pages import open_page
from support.waiting import HUNG_SECONDS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(report: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(chromium: Any, address: str) -> Iterator[Any]:
    with open_page(chromium, address) as page:
        yield page


def drawn(page: Any) -> int:
    """How many charts are visible and have marks."""
    return int(page.locator(".chart:visible svg .mark-group:visible").count())


def test_charts_are_drawn(page: Any) -> None:
    charts = page.locator(".chart:visible")
    assert charts.count() == 27  # trade-off, class sizes, 25 columns
    assert page.locator(".chart:visible svg").count() == 27
    assert drawn(page) > 27


@pytest.mark.long
def test_language_switches_texts_and_charts(page: Any) -> None:
    assert page.title() == "Anonymization report"
    assert page.get_by_role("heading", name="Scorecard").is_visible()
    assert "Found by knowing the whole original" in page.locator("#tradeoff svg").text_content()
    page.get_by_role("button", name="日本語").click()
    page.wait_for_function("document.querySelector('#tradeoff .chart').dataset.drawn === 'ja'")
    assert page.title() == "匿名加工レポート"
    assert page.get_by_role("heading", name="スコアカード").is_visible()
    assert not page.get_by_role("heading", name="Scorecard").is_visible()
    assert "元データ全体を知る者が見つける割合" in page.locator("#tradeoff svg").text_content()
    assert page.locator("#loss option").first.text_content() == "U5 · セルごとの情報損失"
    page.get_by_role("button", name="English").click()
    assert page.title() == "Anonymization report"


@pytest.mark.long
def test_releases_are_chosen_by_mouse_and_keyboard(page: Any) -> None:
    page.get_by_role("tab", name="B noise").click()
    panel = page.locator("[role=tabpanel]:visible")
    assert panel.count() == 1
    assert "B noise" in panel.locator(".panel-title").text_content()
    page.wait_for_function(
        "document.querySelectorAll('[role=tabpanel]:not([hidden]) .chart svg').length === 26"
    )
    page.keyboard.press("ArrowRight")
    assert "C yamaoka" in panel.locator(".panel-title").text_content()
    assert panel.get_by_text("values are unchanged").first.is_visible()
    page.keyboard.press("End")
    assert "A+F" in panel.locator(".panel-title").text_content()
    page.keyboard.press("ArrowRight")
    assert "A k-anonymity" in panel.locator(".panel-title").text_content()


@pytest.mark.long
def test_the_loss_axis_is_chosen(page: Any) -> None:
    page.locator("#loss").select_option("loss-U2")
    page.wait_for_function(
        "document.querySelector('#tradeoff svg').textContent.includes('cross-table means')"
    )


@pytest.mark.long
def test_the_recipe_is_copied(page: Any) -> None:
    page.locator("#copy").click()
    assert page.locator("#copied").text_content() in ("Copied", "Selected")


def test_a_phone_needs_no_sideways_scrolling(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.long
def test_a_broken_out_value_would_not_run(chromium: Any, report: str, tmp_path: Path) -> None:
    attacked = report.replace("</main>", "</main><script>window.bad = 1</script>")
    path = tmp_path / "attacked.html"
    path.write_text(attacked, encoding="utf-8")
    page = chromium.new_page()
    page.set_default_timeout(1000 * HUNG_SECONDS)
    page.goto(path.as_uri())
    page.wait_for_selector("html.ready")
    assert page.evaluate("window.bad") is None  # the content policy forbids it
    page.close()
