"""Large, slow, many and leaving clients."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from apps.price.service.limits_helpers import EndlessSession, header, question
from support.served_prices import Service, is_refusal, serving
from support.waiting import HUNG_SECONDS, wait_until
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.service.catalog import Limits
from tokumei.apps.price.session import PriceSession

JSON = {"content-type": "application/json"}


@pytest.fixture
def endless(session: PriceSession) -> EndlessSession:
    return EndlessSession(session)


@pytest.fixture
def narrow(endless: EndlessSession, price_lists: list[PriceList]) -> Iterator[Service]:
    """A service with one search at a time, and one waiting."""
    with serving(endless, price_lists, Limits(searches=1, waiting=1)) as running:
        yield running


@pytest.fixture
def patient(session: PriceSession, price_lists: list[PriceList]) -> Iterator[Service]:
    """A service of its own: the test moves its clock."""
    with serving(session, price_lists, Limits(seconds=HUNG_SECONDS)) as running:
        yield running


def test_a_declared_size_is_refused_before_it_is_sent(patient: Service) -> None:
    sent = header(patient, 10**9)
    assert timed_out(patient, sent) == (413, "TooLargeError")


def test_a_large_body_is_refused_and_the_client_hears_it(service: Service) -> None:
    response = service.client.post("/v1/optimum", content=b" " * 3_000_000, headers=JSON)
    is_refusal(response, 413, "TooLargeError")
    response = service.client.post(
        "/v1/prices?name=x.csv", content=b"x" * 3_000_000, headers={"content-type": "text/csv"}
    )
    is_refusal(response, 413, "TooLargeError")


def test_a_client_that_goes_on_sending_hears_it_too(patient: Service) -> None:
    """A connection closed with unread bytes is reset, and the answer lost with it."""
    sent = header(patient, 3_000_000) + b" " * 3_000_000
    assert timed_out(patient, sent) == (413, "TooLargeError")


def test_a_body_of_unknown_size_is_refused_when_it_becomes_large(service: Service) -> None:
    pieces = (b" " * 10_000 for _ in range(200))
    response = service.client.post("/v1/optimum", content=pieces, headers=JSON)
    is_refusal(response, 413, "TooLargeError")


def test_a_slow_body(patient: Service) -> None:
    assert timed_out(patient, header(patient, 100) + b'{"k"') == (408, "TooSlowError")


def test_a_slow_header(patient: Service) -> None:
    sent = b"POST /v1/optimum HTTP/1.1\r\nhost: 127"
    assert timed_out(patient, sent) == (408, "TooSlowError")


def test_a_header_that_drips(patient: Service) -> None:
    """A byte now and then does not buy more time."""
    running, sent = patient.running, b"GET / HTTP/1.1\r\nx: "
    with running.connect() as client:
        client.sendall(sent)
        running.wait_for_bytes(client, len(sent))
        running.move_clock(0.9 * Limits().idle_seconds)
        client.sendall(b"x")
        running.wait_for_bytes(client, len(sent) + 1)
        running.move_clock(0.2 * Limits().idle_seconds)
        heard = client.makefile("rb").read()
    assert answer_in(heard) == (408, "TooSlowError")


def test_a_connection_that_says_nothing_is_closed(patient: Service) -> None:
    assert timed_out(patient, b"") == (408, "TooSlowError")


def test_others_are_served_while_one_is_slow(patient: Service) -> None:
    with patient.running.connect() as client:
        client.sendall(header(patient, 100))
        assert patient.optimum()["ok"]
        assert answer_in(patient.running.time_out(client)) == (408, "TooSlowError")


def test_too_many_searches(narrow: Service, endless: EndlessSession) -> None:
    with narrow.running.connect() as first, narrow.running.connect() as second:
        for client in (first, second):
            client.sendall(question(narrow))
        wait_until(lambda: narrow.client.get("/healthz").json()["searches"] == 2)
        refused = narrow.ask()
        is_refusal(refused, 503, "BusyError")
        assert int(refused.headers["retry-after"]) >= 1
    wait_until(lambda: narrow.client.get("/healthz").json()["searches"] == 0)
    assert endless.begun <= 2


def test_a_search_ends_when_its_client_leaves(narrow: Service, endless: EndlessSession) -> None:
    with narrow.running.connect() as client:
        client.sendall(question(narrow))
        wait_until(lambda: endless.begun == 1)
        assert endless.stopped == 0
    wait_until(lambda: endless.stopped == 1)
    wait_until(lambda: narrow.client.get("/healthz").json()["searches"] == 0)


def timed_out(service: Service, sent: bytes) -> tuple[int, str]:
    """What a client hears that sends this and then nothing until its time is over."""
    with service.running.connect() as client:
        client.sendall(sent)
        service.running.wait_for_bytes(client, len(sent))
        return answer_in(service.running.time_out(client))


def answer_in(heard: bytes) -> tuple[int, str]:
    """The status and the error of a response."""
    head, _, body = heard.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]
