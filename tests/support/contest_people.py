"""People in front of a browser, taking part in a contest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.waiting import HUNG_SECONDS

PASSWORD = "correct horse battery"


class Person:
    """Somebody with a browser of their own; every step leaves a picture, if there is a folder."""

    def __init__(
        self,
        chromium: Any,
        address: str,
        shots: Path | None,
        name: str,
        lang: str = "en",
        size: tuple[int, int] = (1280, 900),
    ):
        width, height = size
        context = chromium.new_context(locale=lang, viewport={"width": width, "height": height})
        self.name = name
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * HUNG_SECONDS)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self._address = address
        self._shots = shots

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def open(self, path: str) -> Any:
        """Go to a page; it must be there."""
        response = self.page.goto(self._address + path)
        assert response.status == 200, (path, response.status)
        return self.page

    def shot(self, name: str) -> None:
        """A picture of the whole page."""
        if self._shots is None:
            return
        self.page.screenshot(path=self._shots / f"{name}.png", full_page=True)

    def register(self, code: str | None = None) -> None:
        page = self.open("/register")
        page.fill("#name", self.name)
        page.fill("#password", PASSWORD)
        if code:
            page.fill("#invite", code)
        page.click("#register-button")
        page.wait_for_selector("#my-account")

    def make_team(self, slug: str, team: str) -> None:
        page = self.open(f"/c/{slug}/team")
        page.fill("#create-team #name", team)
        page.click("#create-team button")
        page.wait_for_selector("#members")
        assert page.inner_text("h1") == team

    def send(self, path: str, button: str, *files: tuple[str, bytes]) -> str:
        """Upload a file; the new entry's identifier."""
        page = self.open(path)
        sent = [
            {"name": name, "mimeType": "application/octet-stream", "buffer": data}
            for name, data in files
        ]
        page.set_input_files("#file, #files", sent)
        page.click(button)
        page.wait_for_selector("#entry-state")
        return str(page.url.rsplit("/", 1)[1].partition("?")[0])

    def wait_for(self, state: str) -> Any:
        """The entry's page, once it is in a state."""
        self.page.wait_for_selector(f"#entry-state[data-state={state}]")
        return self.page

    def download(self, path: str) -> bytes:
        response = self.page.request.get(self._address + path)
        assert response.status == 200, path
        return bytes(response.body())

    def log_in(self) -> None:
        page = self.open("/login")
        page.fill("#name", self.name)
        page.fill("#password", PASSWORD)
        page.click("#login-button")
        page.wait_for_selector("#my-account")


def exact(page: Any, selector: str) -> float | None:
    """The figure behind what a page shows, to its last digit."""
    found = page.locator(f"{selector} data")
    return float(found.first.get_attribute("value")) if found.count() else None


def table(page: Any, selector: str, key: str) -> dict[str, list[float | None]]:
    """A table's figures by the rows' keys, all of them exact."""
    rows = {}
    for row in page.locator(f"{selector} tbody tr").all():
        cells = [cell.locator("data") for cell in row.locator("td").all()]
        rows[row.get_attribute(key)] = [
            float(cell.first.get_attribute("value")) if cell.count() else None for cell in cells
        ]
    return rows
