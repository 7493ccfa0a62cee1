"""What the tests split from test_contest_client share."""

from __future__ import annotations

from types import SimpleNamespace

import httpx
import pytest

from tokumei.apps.contest.client import errors

TOLD = {"message_en": "too many", "message_ja": "多すぎます", "faults": [], "total": 0}


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds slept, which take no time."""
    found: list[float] = []
    # Only what the client sees: threads of other tests sleep, too.
    monkeypatch.setattr(errors, "time", SimpleNamespace(sleep=found.append))
    return found


class Server(httpx.BaseTransport):
    """Refuses with these waits, one after the other, then answers; keeps what was sent."""

    def __init__(self, *waits: str | None, status: int = 429) -> None:
        self._on_wait, self._status = list(waits), status
        self.bodies: list[bytes] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.bodies.append(request.read())
        if not self._on_wait:
            return httpx.Response(200, json={"id": "1", "contests": []})
        wait = self._on_wait.pop(0)
        headers = {} if wait is None else {"retry-after": wait}
        return httpx.Response(self._status, json=TOLD, headers=headers)
