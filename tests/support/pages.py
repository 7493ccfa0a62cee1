"""Reports as files: without their chart library, and open in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from support.waiting import HUNG_SECONDS
from tokumei.pages.html import chart_library


def own_part(page: str) -> str:
    """The page without the chart library."""
    return page.replace(chart_library(), "")


@contextmanager
def open_page(chromium: Any, address: str) -> Iterator[Any]:
    """The page, open and drawn; afterwards nothing was requested and nothing complained."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(1000 * HUNG_SECONDS)
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.wait_for_selector("html.ready")
    yield page
    page.close()
    assert requests == [address]
    assert complaints == []
