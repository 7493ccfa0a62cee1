"""What the tests split from test_limits share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from support.served_prices import Service
from support.waiting import wait_until
from tokumei.apps.price.session import PriceAnswer, PriceSession


class EndlessSession:
    """Searches until it is told to stop."""

    def __init__(self, session: PriceSession) -> None:
        self.rows, self.columns = session.rows, session.columns
        self.begun, self.stopped = 0, 0
        self._inner = session

    def ask(self, *question: Any, cancelled: Callable[[], bool], **more: Any) -> PriceAnswer:
        self.begun += 1
        wait_until(cancelled)
        self.stopped += 1
        return self._inner.ask(*question, **more)


def question(service: Service) -> bytes:
    """A whole request for a search."""
    body = json.dumps({"session": "people", "prices": service.prices, "k": 5}).encode()
    return header(service, len(body)) + body


def header(service: Service, size: int) -> bytes:
    return (
        f"POST /v1/optimum HTTP/1.1\r\nhost: 127.0.0.1:{service.port}\r\n"
        f"content-type: application/json\r\ncontent-length: {size}\r\n\r\n"
    ).encode()
