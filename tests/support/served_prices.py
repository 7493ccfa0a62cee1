"""A price service on a free port of this machine, and the one shape of its errors."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tokumei.http.serving import listening
from tokumei.price.dictionary import PriceList
from tokumei.price.service.app import create_app, service_server
from tokumei.price.service.desk import Desk, Limits


@dataclass
class Service:
    """A running service."""

    port: int
    client: httpx.Client
    prices: str

    def ask(self, **question: Any) -> httpx.Response:
        asked = {"session": "people", "prices": self.prices, "k": 5, **question}
        return self.client.post("/v1/optimum", json=asked)

    def optimum(self, **question: Any) -> dict[str, Any]:
        response = self.ask(**question)
        assert response.status_code == 200, response.text
        return dict(response.json())


@contextmanager
def serving(session: Any, prices: list[PriceList], limits: Limits) -> Iterator[Service]:
    """The service on a free port of this machine."""
    desk = Desk({"people": session}, prices, limits)
    app = create_app(desk, limits, hosts=["127.0.0.1"])
    server = service_server(app, limits)
    with listening("127.0.0.1", 0) as taken:
        thread = threading.Thread(target=server.run, args=([taken],), daemon=True)
        thread.start()
        wait_until(lambda: server.started)
        port = taken.getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield Service(port, client, desk.prices_json()[0]["id"])
        server.should_exit = True
        thread.join(30)
    assert not thread.is_alive()


def wait_until(happened: Any, seconds: float = 30) -> None:
    """Wait for something that happens in another thread."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def is_refusal(response: httpx.Response, status: int, error: str) -> dict[str, Any]:
    """The error's JSON, after its status and its one shape were checked."""
    found = dict(response.json())
    assert (response.status_code, found["error"]) == (status, error), response.text
    assert response.headers["content-type"] == "application/json"
    assert set(found) == {"ok", "error", "message_en", "message_ja", "total", "faults"}
    assert found["ok"] is False
    assert found["message_en"]
    assert found["message_ja"]
    keys = {"line", "column", "rule", "message_en", "message_ja"}
    assert all(set(fault) == keys for fault in found["faults"])
    return found
