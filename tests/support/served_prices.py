"""A price service on a free port of this machine, and the one shape of its errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from support.served_app import RunningServer, run_in_thread
from support.waiting import HUNG_SECONDS
from tokumei.apps.http.server import open_listening_socket
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.service.app import create_app, make_service_server
from tokumei.apps.price.service.catalog import Catalog, Limits


@dataclass
class Service:
    """A running service."""

    running: RunningServer
    client: httpx.Client
    prices: str

    @property
    def port(self) -> int:
        return self.running.port

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
    desk = Catalog({"people": session}, prices, limits)
    app = create_app(desk, limits, hosts=["127.0.0.1"])
    server = make_service_server(app, limits)
    with (
        open_listening_socket("127.0.0.1", 0) as taken,
        run_in_thread(server, taken) as running,
        httpx.Client(base_url=running.address, timeout=HUNG_SECONDS) as client,
    ):
        yield Service(running, client, desk.prices_json()[0]["id"])


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
