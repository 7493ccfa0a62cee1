"""The page in a real browser, talking to the real service."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.served_prices import Service
from support.waiting import HUNG_SECONDS

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium: Any, service: Service) -> Iterator[Any]:
    """The page with its first answer; afterwards only this service was asked, and no complaint."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(1000 * HUNG_SECONDS)
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"http://127.0.0.1:{service.port}/?lang=en")
    page.wait_for_selector("#value[data-value]")
    yield page
    page.close()
    assert all(url.startswith(f"http://127.0.0.1:{service.port}/") for url in requests)
    # Browsers complain of every refusal, also of one that a test provokes.
    assert [one for one in complaints if "status of 422" not in one] == []


def value(page: Any) -> float:
    return float(page.locator("#value").get_attribute("data-value"))


def changed(page: Any, before: float) -> float:
    """The value, once it is another."""
    page.wait_for_selector(f"#value:not([data-value='{before:.0f}'])")
    return value(page)


def test_moving_k_changes_value_choice_and_rows(page: Any, service: Service) -> None:
    before, rows = value(page), page.locator("#sample").inner_text()
    assert before == service.optimum(k=5)["value"]
    assert page.locator("#k-shown").inner_text() == "5"
    page.locator("#k").focus()
    page.keyboard.press("End")
    k = int(page.locator("#k-shown").inner_text().replace(",", ""))
    assert k == 1500
    after = changed(page, before)
    found = service.optimum(k=k)
    assert after == found["value"] < before
    assert page.locator("#sample").inner_text() != rows
    assert page.locator("#ratio").inner_text().startswith(f"{100 * found['ratio']:.2f}")
    assert page.locator("#columns li.gone").count() == list(found["choice"].values()).count(
        "delete"
    )


def test_a_column_stays_or_goes(page: Any, service: Service) -> None:
    gone = page.locator("#columns li.gone").first
    name = gone.get_attribute("data-column")
    before = value(page)
    gone.get_by_role("radio", name="keep").check(force=True)
    after = changed(page, before)
    assert after == service.optimum(k=5, stay=[name])["value"] < before
    assert "gone" not in (page.locator(f"[data-column='{name}']").get_attribute("class") or "")


def test_another_price_list(page: Any, service: Service) -> None:
    before = value(page)
    second = service.client.get("/v1/prices").json()["prices"][1]["id"]
    page.locator("#prices").select_option(second)
    assert changed(page, before) == service.optimum(k=5, prices=second)["value"]


def test_a_wrong_price_file_is_explained(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text("attribute,pattern,value,word,price\n性別,original,男性,男性,-5\n")
    page.locator("#upload").set_input_files(path)
    page.wait_for_selector("#problem:not([hidden])")
    assert "cannot be negative" in page.locator("#problem").inner_text()
    page.get_by_role("button", name="日本語").click()
    assert "負にできません" in page.locator("#problem").inner_text()


def test_the_language_switches(page: Any) -> None:
    assert page.title() == "What is this release worth?"
    assert "No choice with groups of 5" in page.locator("#sentence").inner_text()
    page.get_by_role("button", name="日本語").click()
    assert page.title() == "この匿名加工データの価値は？"
    assert "どのグループも 5 人以上" in page.locator("#sentence").inner_text()


def test_a_phone_needs_no_sideways_scrolling(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
