from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.pages import open_page
from tokumei.histories.report.page import render_history_report
from tokumei.histories.study import HistoryStudy

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(
    category_study: HistoryStudy,
    internal_study: HistoryStudy,
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    path: Path = tmp_path_factory.mktemp("history") / "report.html"
    page = render_history_report([category_study, internal_study])
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(chromium: Any, address: str) -> Iterator[Any]:
    with open_page(chromium, address) as page:
        yield page


def test_all_charts_are_drawn(opened: Any) -> None:
    charts = opened.locator(".chart:visible")
    # figure, front, rows kept, columns of three sweeps, months, activity, sizes, categories, five
    assert charts.count() == 11
    assert opened.locator(".chart:visible svg").count() == 11


def test_the_language_switches_texts_and_charts(opened: Any) -> None:
    assert opened.title() == "Purchase history report"
    assert "Loss (left is more useful)" in opened.locator("#tradeoff").inner_text()
    opened.get_by_role("button", name="日本語").click()
    opened.wait_for_function(
        "[...document.querySelectorAll('.chart')].filter((c) => c.offsetParent)"
        ".every((c) => c.dataset.drawn === 'ja')"
    )
    assert opened.title() == "購買履歴の匿名加工レポート"
    assert "損失 (左ほど有用)" in opened.locator("#tradeoff").inner_text()
    assert not opened.get_by_role("heading", name="How large should k be?").is_visible()


def test_studies_are_chosen_by_tab(opened: Any) -> None:
    panel = opened.locator("[role=tabpanel]:visible")
    assert panel.count() == 1
    before = panel.get_attribute("id")
    opened.locator("[role=tab][aria-selected=false]").click()
    opened.wait_for_function(
        "document.querySelectorAll('[role=tabpanel]:not([hidden]) .chart svg').length === 2"
    )
    assert panel.count() == 1
    assert panel.get_attribute("id") != before


def test_a_phone_needs_no_sideways_scrolling(opened: Any) -> None:
    opened.set_viewport_size({"width": 390, "height": 844})
    assert opened.evaluate("document.documentElement.scrollWidth") == 390
