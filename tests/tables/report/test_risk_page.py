"""The risk report: self-contained, inert, the same bytes, both languages, all charts drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from support.pages import own_part
from support.waiting import HUNG_SECONDS
from tables.report.risk_page_fixtures import found as found
from tokumei.core.errors import UsageError
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.report.risk_page import render_risk_report
from tokumei.tables.report.risk_sentences import risk_advice, risk_headline
from tokumei.tables.risk.risk import Risk, risk

HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def page(found: Risk) -> str:
    return render_risk_report(found)


def test_the_same_input_gives_the_same_bytes(found: Risk, page: str) -> None:
    assert render_risk_report(found) == page


def test_nothing_is_loaded_and_no_cell_is_shown(page: str) -> None:
    own = own_part(page)
    assert "default-src &#39;none&#39;" in own
    assert not re.search(r"<(img|link|iframe)\b|https?://(?!www\.w3\.org)", own)
    cells = sample_table(300, seed=1).frame.select("region", "occupation")
    words = {word for name in cells.columns for word in cells[name].cast(pl.String).unique()}
    shown = re.sub(r"<[^>]*>", " ", own)
    assert not {word for word in words if len(word) > 3 and re.search(rf"\b{word}\b", shown)}


def test_hostile_column_names_are_inert() -> None:
    frame = pl.DataFrame({HOSTILE: ["a", "b", "b"], "q": [1, 2, 2]})
    page = own_part(render_risk_report(risk(frame, qi=[HOSTILE, "q"], population=10)))
    assert "<script>alert" not in page
    assert page.count("<script") == 3  # data, library, page


def test_every_sentence_has_both_languages(page: str) -> None:
    own = own_part(page)
    assert own.count('<span class="en"') == own.count('<span class="ja"') > 50
    assert "%s" not in re.sub(r"<style>.*?</style>", "", own, flags=re.DOTALL)
    with pytest.raises(UsageError):
        render_risk_report(risk(pl.DataFrame({"q": [1]}), qi=["q"]), lang="fr")


def test_rows_of_the_same_people_are_not_called_people() -> None:
    rows = {"who": [i // 2 for i in range(20)], "q": range(20)}
    found = risk(pl.DataFrame(rows), qi=["q"], population=100, person="who")
    page = own_part(render_risk_report(found))
    assert (found.people, found.as_json()["people"]) == (10, 10)
    assert "Sample: 20 different rows of 10 people" in page
    assert "標本は 10 人の異なる 20 行です" in page
    assert "20 of 100 people" not in page
    single = risk(pl.DataFrame(rows), qi=["q"], population=100)
    assert single.people is None
    assert "Sample: 20 of 100 people" in own_part(render_risk_report(single))


def test_a_table_without_unique_rows_says_so() -> None:
    safe = risk(pl.DataFrame({"q": ["a"] * 20 + ["b"] * 20}), qi=["q"])
    assert "at least 20 rows" in risk_headline(safe).show("en")
    assert risk_advice(safe) is None
    page = own_part(render_risk_report(safe))
    assert "No row is unique by at most 3 columns" in page
    assert "--population N" in page
    assert 'data-chart="without"' not in page


@pytest.fixture
def opened(chromium: Any, page: str, tmp_path: Path) -> Iterator[Any]:
    """The report in a browser; afterwards nothing was requested and nothing complained."""
    path = tmp_path / "risk.html"
    path.write_text(page, encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 1280, "height": 900})
    tab.set_default_timeout(1000 * HUNG_SECONDS)
    requests: list[str] = []
    complaints: list[str] = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(path.as_uri())
    tab.wait_for_selector("html.ready")
    yield tab
    tab.close()
    assert requests == [path.as_uri()]
    assert complaints == []


@pytest.mark.browser
def test_charts_are_drawn_in_both_languages(opened: Any) -> None:
    # classes, contributions, without, one panel of sets, estimates
    assert opened.locator(".chart:visible svg").count() == 5
    opened.get_by_role("button", name="日本語").click()
    opened.wait_for_function("document.querySelector('#people .chart').dataset.drawn === 'ja'")
    assert "同じ値をもつ行の数" in opened.locator("#people svg").text_content()
    opened.get_by_role("tab").first.click()
    opened.wait_for_selector("#panel-1 svg")
    assert opened.locator("[role=tabpanel]:visible").count() == 1


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_does_not_scroll_sideways(opened: Any, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 900})
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
