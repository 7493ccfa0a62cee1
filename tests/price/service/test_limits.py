"""Large, slow, many and leaving clients."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from support.served_prices import Service, is_refusal, serving, wait_until
from tokumei.price.dictionary import PriceList
from tokumei.price.service.desk import Limits
from tokumei.price.session import PriceAnswer, PriceSession

LOOKS = 60
"""A first guess takes fewer looks at the clock, a proof more."""
JSON = {"content-type": "application/json"}


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


@pytest.fixture
def endless(session: PriceSession) -> EndlessSession:
    return EndlessSession(session)


@pytest.fixture
def narrow(endless: EndlessSession, price_lists: list[PriceList]) -> Iterator[Service]:
    """A service with one search at a time, and one waiting."""
    with serving(endless, price_lists, Limits(searches=1, waiting=1)) as running:
        yield running


def test_a_declared_size_is_refused_before_it_is_sent(service: Service) -> None:
    with connected(service) as client:
        client.sendall(header(service, 10**9))
        assert status(client) == (413, "TooLargeError")


def test_a_large_body_is_refused_and_the_client_hears_it(service: Service) -> None:
    response = service.client.post("/v1/optimum", content=b" " * 3_000_000, headers=JSON)
    is_refusal(response, 413, "TooLargeError")
    response = service.client.post(
        "/v1/prices?name=x.csv", content=b"x" * 3_000_000, headers={"content-type": "text/csv"}
    )
    is_refusal(response, 413, "TooLargeError")


def test_a_client_that_goes_on_sending_hears_it_too(service: Service) -> None:
    """A connection closed with unread bytes is reset, and the answer lost with it."""
    with connected(service) as client:
        client.sendall(header(service, 3_000_000))
        for _ in range(300):
            client.sendall(b" " * 10_000)
        assert status(client) == (413, "TooLargeError")


def test_a_body_of_unknown_size_is_refused_when_it_becomes_large(service: Service) -> None:
    pieces = (b" " * 10_000 for _ in range(200))
    response = service.client.post("/v1/optimum", content=pieces, headers=JSON)
    is_refusal(response, 413, "TooLargeError")


@pytest.mark.long
def test_a_slow_body(service: Service) -> None:
    with connected(service) as client:
        client.sendall(header(service, 100) + b'{"k"')
        assert status(client) == (408, "TooSlowError")


def test_a_slow_header(service: Service) -> None:
    with connected(service) as client:
        client.sendall(b"POST /v1/optimum HTTP/1.1\r\nhost: 127")
        assert status(client) == (408, "TooSlowError")


def test_a_header_that_drips(service: Service) -> None:
    """A byte now and then does not buy more time."""
    with connected(service) as client:
        stop = threading.Event()

        def drip() -> None:
            while not stop.wait(0.1):
                try:
                    client.sendall(b"x")
                except OSError:
                    return

        client.sendall(b"GET / HTTP/1.1\r\nx: ")
        thread = threading.Thread(target=drip)
        thread.start()
        found = status(client)
        stop.set()
        thread.join()
    assert found == (408, "TooSlowError")


def test_a_connection_that_says_nothing_is_closed(service: Service) -> None:
    with connected(service) as client:
        assert status(client) == (408, "TooSlowError")


@pytest.mark.long
def test_others_are_served_while_one_is_slow(service: Service) -> None:
    with connected(service) as client:
        client.sendall(header(service, 100))
        assert service.optimum()["ok"]
        assert status(client) == (408, "TooSlowError")


@pytest.mark.long
def test_too_many_searches(narrow: Service, endless: EndlessSession) -> None:
    asked = {"session": "people", "prices": narrow.prices, "k": 5}
    with ThreadPoolExecutor(2) as threads, httpx.Client(base_url=narrow.client.base_url) as others:
        waiting = [threads.submit(leave_after, others, asked, 3.0) for _ in range(2)]
        wait_until(lambda: narrow.client.get("/healthz").json()["searches"] == 2)
        refused = narrow.ask()
        is_refusal(refused, 503, "BusyError")
        assert int(refused.headers["retry-after"]) >= 1
        assert [one.result() for one in waiting] == ["left", "left"]
    wait_until(lambda: narrow.client.get("/healthz").json()["searches"] == 0)
    assert endless.begun <= 2


def test_a_search_ends_when_its_client_leaves(narrow: Service, endless: EndlessSession) -> None:
    asked = {"session": "people", "prices": narrow.prices, "k": 5}
    assert leave_after(narrow.client, asked, 0.5) == "left"
    wait_until(lambda: endless.stopped == endless.begun == 1)
    wait_until(lambda: narrow.client.get("/healthz").json()["searches"] == 0)


class HurriedSession(EndlessSession):
    """Runs out of time in the middle of every search."""

    def ask(self, *question: Any, cancelled: Callable[[], bool], **more: Any) -> PriceAnswer:
        looks = iter(range(LOOKS))
        return self._inner.ask(*question, cancelled=lambda: next(looks, None) is None, **more)


def test_the_best_so_far_when_time_runs_out(
    session: PriceSession, service: Service, price_lists: list[PriceList]
) -> None:
    with serving(HurriedSession(session), price_lists, Limits()) as hurried:
        found = hurried.optimum(k=5, seconds=5)
    best = service.optimum(k=5)
    assert found["optimal"] is False
    assert found["value"] <= best["value"] <= found["bound"]
    assert found["k"] >= 5


def test_a_service_that_takes_no_price_files(
    session: PriceSession, price_lists: list[PriceList]
) -> None:
    with serving(session, price_lists, Limits(uploads=False)) as closed:
        headers = {"content-type": "text/csv"}
        sent = closed.client.post("/v1/prices?name=x.csv", content=b"x", headers=headers)
        is_refusal(sent, 405, "MethodError")
        assert 'type="file"' not in closed.client.get("/").text


def leave_after(client: httpx.Client, asked: dict[str, Any], seconds: float) -> str:
    try:
        client.post("/v1/optimum", json=asked, timeout=seconds)
    except httpx.ReadTimeout:
        return "left"
    return "answered"


def connected(service: Service) -> socket.socket:
    return socket.create_connection(("127.0.0.1", service.port), timeout=20)


def header(service: Service, size: int) -> bytes:
    return (
        f"POST /v1/optimum HTTP/1.1\r\nhost: 127.0.0.1:{service.port}\r\n"
        f"content-type: application/json\r\ncontent-length: {size}\r\n\r\n"
    ).encode()


def status(client: socket.socket) -> tuple[int, str]:
    """The status and the error of a response; the service closes the connection after it."""
    head, _, body = client.makefile("rb").read().partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]
