"""Bodies as hostile or unlucky clients send them."""

from __future__ import annotations

import socket
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from apps.contest.api.uploads_fixtures import URL, error
from apps.contest.api.uploads_fixtures import in_time as in_time
from apps.contest.played import FAULTS, PASSWORD, START, Played
from apps.contest.served_api import serving
from support.waiting import HUNG_SECONDS, wait_until
from tokumei.apps.contest.api.app import MOST_BODY, PREFIX
from tokumei.apps.contest.store.tables import ContestEntry
from tokumei.apps.http.errors import TooManyRequests
from tokumei.apps.http.rate_limit import RateLimiter

FORM = {"content-type": "multipart/form-data; boundary=edge"}


HEAD = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="A.csv"\r\n\r\n'


TAIL = b"\r\n--edge--\r\n"


MEGABYTE = 1 << 20


def inbox(opened: Played) -> list[Path]:
    return sorted((opened.place.home.path / "inbox").iterdir())


def test_an_upload_is_answered_with_its_entry(opened: Played, ant: httpx.Client) -> None:
    name = "..\\..\\匿名.csv"
    response = ant.post(URL, files={"file": (name, b"rows")}, data={"label": "k = 5"})
    entry = response.json()
    assert response.status_code == 201
    assert (entry["state"], entry["label"], entry["file_name"]) == ("queued", "k = 5", "匿名.csv")
    assert opened.place.home.inbox.path(entry["id"]).read_bytes() == b"rows"


def test_an_idempotency_key_is_taken_once(opened: Played, ant: httpx.Client) -> None:
    def send(body: bytes, key: str) -> httpx.Response:
        files = {"file": ("A.csv", body)}
        return ant.post(URL, files=files, headers={"idempotency-key": key})

    sent = [send(b"one", "once"), send(b"one", "once"), send(b"two", "once")]
    opened.clock.to(START + timedelta(days=8))
    sent += [send(b"one", "once"), send(b"one", "another")]
    assert [response.status_code for response in sent] == [201, 201, 409, 201, 403]
    assert len({sent[number].json()["id"] for number in (0, 1, 3)}) == 1


def test_the_limit_holds_while_the_body_arrives(
    opened: Played, ant: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, sent = inbox(opened), 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        yield HEAD
        while sent < 1 << 32:
            sent += MEGABYTE
            yield b"x" * MEGABYTE

    with suppress(httpx.WriteError):  # the server answered, lingered a while, and hung up on us
        error(ant.post(URL, content=endless(), headers=FORM), 413)
    assert MEGABYTE < sent < 1 << 32
    assert inbox(opened) == before


def test_a_large_line_never_enters_memory(
    ant: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokumei.apps.contest.services.uploads.MEGABYTE", 32 * MEGABYTE)
    body = HEAD + b"9" * 32 * MEGABYTE + TAIL
    chunks = [body[start : start + 65536] for start in range(0, len(body), 65536)]
    tracemalloc.start()
    try:
        response = ant.post(URL, content=iter(chunks), headers=FORM)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert response.status_code == 201
    assert peak < len(body) / 4  # client and server are both counted, and neither holds it whole


def test_a_declared_length_is_refused_unread(opened: Played, ant: httpx.Client) -> None:
    body = HEAD + b"x" * (3 * MEGABYTE) + TAIL
    assert "1 MB" in error(ant.post(URL, content=body, headers=FORM), 413)


def test_a_late_upload_is_told_by_how_much(opened: Played, ant: httpx.Client) -> None:
    opened.clock.to(START + timedelta(days=7, seconds=2))
    before = inbox(opened)
    message = error(ant.post(URL, files={"file": ("A.csv", b"x" * 900_000)}), 403)
    assert "2.000 seconds after" in message
    assert inbox(opened) == before


def test_a_phase_that_ends_while_the_body_arrives(opened: Played, ant: httpx.Client) -> None:
    opened.clock.to(START + timedelta(days=7) - timedelta(seconds=1))
    before = inbox(opened)

    def slowly() -> Iterator[bytes]:
        yield HEAD + b"rows"
        opened.clock.forward(seconds=1.5)
        yield TAIL

    assert "0.500 seconds after" in error(ant.post(URL, content=slowly(), headers=FORM), 403)
    assert inbox(opened) == before


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"rows", {"content-type": "text/csv"}, 415),
        (b"", {}, 415),
        (b"rows", {"content-type": "multipart/form-data"}, 415),
        (b"rows", FORM, 422),
        (HEAD + b"cut off", FORM, 422),
        (b"--edge\r\n\r\nno name" + TAIL, FORM, 422),
        (b'--edge\r\nContent-Disposition: form-data; name="label"\r\n\r\nx' + TAIL, FORM, 422),
        (HEAD + b"1\r\n" + HEAD + b"2" + TAIL, FORM, 422),
        (b"--edge\r\n" + b"a: b\r\n" * 99 + b"\r\n" + TAIL, FORM, 422),
        (b"--edge--\r\n", FORM, 422),
    ],
)
def test_forms_that_are_none(
    opened: Played, ant: httpx.Client, body: bytes, headers: dict[str, str], status: int
) -> None:
    before = inbox(opened)
    error(ant.post(URL, content=body, headers=headers), status)
    assert inbox(opened) == before


def test_a_client_that_leaves_leaves_nothing(opened: Played, address: str) -> None:
    before = inbox(opened)
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port)) as line:
        head = f"POST {PREFIX}{URL} HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n"
        head += f"authorization: Bearer {opened.tokens['ant']}\r\n"
        head += "content-type: multipart/form-data; boundary=edge\r\n\r\n"
        line.sendall(head.encode() + HEAD + b"half of")
    wait_until(lambda: inbox(opened) == before)


def test_an_upload_that_stops_is_ended(opened: Played) -> None:
    with serving(opened.place) as running, running.connect() as line:
        head = f"POST {PREFIX}{URL} HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n"
        head += f"authorization: Bearer {opened.tokens['ant']}\r\n"
        head += "content-type: multipart/form-data; boundary=edge\r\n\r\n"
        sent = head.encode() + HEAD + b"half of"
        line.sendall(sent)
        running.wait_for_bytes(line, len(sent))
        answer = running.time_out(line)
    assert b" 408 " in answer.split(b"\r\n")[0]


def test_small_bodies_have_a_bound(address: str) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"[" * MOST_BODY

    for body in (b"[" * (MOST_BODY + 1), endless()):
        try:
            error(httpx.post(address + "/register", content=body, timeout=HUNG_SECONDS), 413)
        except (httpx.WriteError, httpx.ReadError):
            continue  # refused and hung up before all was sent


@pytest.mark.parametrize("body", [b"{", b"[" * 60_000, b"\xff", b'{"name": "\\ud800"}', b"null"])
def test_bodies_that_are_no_json(address: str, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    error(
        httpx.post(address + "/register", content=body, headers=headers, timeout=HUNG_SECONDS), 422
    )


def test_too_many_requests_are_told_to_wait(opened: Played) -> None:
    rates = RateLimiter(burst=3, per_second=0.5, clock=lambda: 0.0)
    with serving(opened.place, rates) as running:
        got = [
            httpx.get(running.address + PREFIX + "/health", timeout=HUNG_SECONDS) for _ in range(4)
        ]
    assert [response.status_code for response in got] == [200, 200, 200, 429]
    assert got[-1].headers["retry-after"] == "2"


def test_buckets_fill_again_and_do_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokumei.apps.http.rate_limit.MAX_TRACKED_CLIENTS", 10)
    now = 0.0
    rates = RateLimiter(burst=2, per_second=1, clock=lambda: now)
    rates.require("a")
    rates.require("a")
    with pytest.raises(TooManyRequests):
        rates.require("a")
    for number in range(50):
        rates.require(number)
    with pytest.raises(TooManyRequests):
        rates.require("a")
    assert len(rates._buckets) <= 10
    now = 1.0
    rates.require("a")


def test_guessing_passwords_is_slowed_down(address: str) -> None:
    body = {"name": "bee", "password": "not the one"}
    got = [httpx.post(address + "/tokens", json=body, timeout=HUNG_SECONDS) for _ in range(6)]
    assert [response.status_code for response in got] == [401] * 5 + [429]
    assert int(got[-1].headers["retry-after"]) >= 1
    right = {"name": "cat", "password": PASSWORD}
    assert httpx.post(address + "/tokens", json=right, timeout=HUNG_SECONDS).status_code == 201


def test_made_up_tokens_do_not_ask_more_often(opened: Played) -> None:
    def me(url: str, token: str) -> int:
        headers = {"authorization": f"Bearer {token}"}
        return httpx.get(url + PREFIX + "/me", headers=headers, timeout=HUNG_SECONDS).status_code

    rates = RateLimiter(burst=3, per_second=0.5, clock=lambda: 0.0)
    with serving(opened.place, rates) as running:
        known = [me(running.address, opened.tokens["ant"]) for _ in range(5)]
        unknown = [me(running.address, f"tkm_{number}") for number in range(3)]
    assert known == [200] * 4 + [429], "one as an address, three as an account"
    assert unknown == [401, 401, 429], "all as one address"


def test_faults_come_a_thousand_at_a_time(opened: Played, ant: httpx.Client) -> None:
    entry = opened.submit("ant", b"bad").id
    with opened.place.write() as session:
        row = session.get_one(ContestEntry, entry)
        row.faults = [FAULTS[0] | {"line": line} for line in range(2500)]
        row.fault_total = 2500
    lines: list[int] = []
    for start in (0, 1000, 2000):
        found = ant.get(f"{URL}/{entry}", params={"faults_from": start}).json()
        assert found["fault_total"] == 2500
        lines += [fault["line"] for fault in found["faults"]]
        assert len(lines) == min(2500, start + 1000)
    assert lines == list(range(2500))
