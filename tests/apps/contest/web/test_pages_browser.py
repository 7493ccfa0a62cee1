"""Pages in a real browser: uploads, live parts, times; without scripts; on a phone."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from apps.contest.web.scene import Scene, fault
from support.served_app import run_in_thread
from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.services.authentication import start_session
from tokumei.apps.contest.store.tables import ContestEntry, EntryScore, JudgingJob

pytestmark = pytest.mark.browser
Opened = Callable[..., Any]


@pytest.fixture
def site(scene: Scene) -> Iterator[str]:
    """The contest on a free port of this machine."""
    config = uvicorn.Config(scene.app, log_level="error", lifespan="off")
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        run_in_thread(uvicorn.Server(config), taken) as running,
    ):
        yield running.address


@pytest.fixture
def opened(chromium: Any, scene: Scene, site: str) -> Iterator[Opened]:
    """Opens pages as somebody; afterwards only our server was asked, and nothing complained."""
    contexts, requests, complaints = [], [], []

    def open_page(path: str, who: str, **options: Any) -> Any:
        options = {"locale": "en-GB", "timezone_id": "Asia/Tokyo", **options}
        context = chromium.new_context(**options)
        contexts.append(context)
        cookie = start_session(scene.place, scene.people[who])
        context.add_cookies([{"name": "login", "value": cookie, "url": site}])
        context.set_default_timeout(1000 * HUNG_SECONDS)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(site + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert all(url.startswith(site) for url in requests)
    # Browsers complain of every refusal, also of one that a test provokes.
    assert [one for one in complaints if "status of 4" not in one] == []


def test_an_organiser_makes_a_contest_without_any_file(opened: Opened) -> None:
    for scheme, wide in (("light", 1280), ("dark", 390)):
        page = opened(
            "/contests/new", "org", color_scheme=scheme, viewport={"width": wide, "height": 900}
        )
        page.fill("#title", f"Cup {wide}")
        page.fill("#starts", "2031-03-01T09:00")
        page.fill("#attack_starts", "2031-02-01T09:00")
        page.fill("#ends", "2031-03-15T09:00")
        page.fill("#rows", "60")
        page.click("#make-draft")
        page.wait_for_selector("#plan [data-said].bad")
        assert page.input_value("#title") == f"Cup {wide}"
        page.fill("#attack_starts", "2031-03-08T09:00")
        page.click("#make-draft")
        page.wait_for_url(f"**/c/cup-{wide}")
        assert "2031" in page.inner_text("main")
        assert page.evaluate("document.documentElement.scrollWidth") <= wide


def test_an_upload_is_dropped_sent_and_followed_until_it_is_scored(
    opened: Opened, scene: Scene, tmp_path: Path
) -> None:
    page = opened("/c/cup/submit", "aoi")
    page.evaluate(
        """() => {
          const held = new DataTransfer();
          held.items.add(new File(["a,b\\n1,2\\n"], "A.csv"));
          document.querySelector(".drop").dispatchEvent(
            new DragEvent("drop", { dataTransfer: held, bubbles: true, cancelable: true }));
        }"""
    )
    page.get_by_label("Label").fill("dropped")
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/c/cup/entries/*")
    assert page.locator("h1").inner_text() == "dropped"
    assert page.locator("#queue-position").inner_text() == "next in the queue"
    _set_state(scene, "running")
    page.wait_for_selector("#entry-state [data-state=running]")
    assert page.locator("#state-said").text_content() == "Being judged"
    _set_state(scene, "scored")
    page.wait_for_selector("#score-total")
    assert page.locator("#score-total data").get_attribute("value") == "0.15"


def _set_state(scene: Scene, state: str) -> None:
    with scene.place.write() as session:
        entry, job = session.query(ContestEntry).one(), session.query(JudgingJob).one()
        entry.state, job.state = state, "done" if state == "scored" else state
        if state == "scored":
            figures: dict[str, Any] = {"utility": {}, "safety": {}}
            session.add(
                EntryScore(
                    entry_id=entry.id,
                    judge_version="v1",
                    utility=0.2,
                    safety=0.1,
                    total=0.15,
                    unsafe=False,
                    figures=figures,
                    created_at=entry.received_at,
                    current=True,
                )
            )


@pytest.mark.long
def test_a_refused_upload_says_why_and_can_be_repeated(opened: Opened, scene: Scene) -> None:
    page = opened("/c/cup/submit", "aoi", locale="ja-JP")
    page.locator("#file").set_input_files(
        {"name": "A.csv", "mimeType": "text/csv", "buffer": b"x" * (3 << 20)}
    )
    page.locator("#submit-button").click()
    said = page.locator("[data-said]")
    assert said.inner_text() == "ファイルが上限の 2 MB を超えています。"
    scene.now = scene.now.replace(day=17)
    page.locator("#file").set_input_files({"name": "A.csv", "mimeType": "text/csv", "buffer": b"1"})
    page.locator("#submit-button").click()
    page.wait_for_selector(".notice.bad[data-said]:visible")
    assert page.locator("#submit-button").is_enabled()


@pytest.mark.long
def test_times_are_told_in_the_viewers_zone_too(opened: Opened) -> None:
    page = opened("/c/cup", "aoi", timezone_id="Europe/Paris")
    assert "your time 16 Nov, 01:00" in page.locator("time").first.inner_text()
    left = page.locator(".countdown").first.inner_text()
    assert left.startswith(("6 days 23 hours", "7 days 0 hours"))
    assert "your time" not in opened("/c/cup", "aoi").locator("main").inner_text()


def test_a_phone_shows_every_page_without_sideways_scrolling(opened: Opened, scene: Scene) -> None:
    entry = scene.add_entry("aoi", state="rejected", faults=[fault(n) for n in range(1, 60)])
    phone = {"viewport": {"width": 360, "height": 740}, "locale": "ja-JP"}
    page = opened("/c/cup", "aoi", **phone)
    for path in ("", "/team", "/submit", "/entries", f"/entries/{entry}", "/leaderboard"):
        page.goto(page.url.partition("/c/")[0] + "/c/cup" + path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_the_keyboard_reaches_the_content_first(opened: Opened) -> None:
    page = opened("/c/cup/team", "aoi")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.long
def test_without_scripts_an_upload_works_and_its_page_renews_itself(opened: Opened) -> None:
    page = opened("/c/cup/submit", "aoi", java_script_enabled=False)
    page.locator("#file").set_input_files({"name": "A.csv", "mimeType": "text/csv", "buffer": b"1"})
    page.locator("#submit-button").click()
    page.wait_for_url("**/c/cup/entries/*")
    assert page.locator("#entry-state").get_attribute("data-state") == "queued"
    assert page.locator("meta[http-equiv=refresh]").count() == 1
