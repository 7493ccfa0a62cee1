"""The gate of any server: bodies, refusals, bugs, headers; and what a connection is told."""

from __future__ import annotations

import json
import logging
from typing import Any

import httpx
import pytest

from apps.http.middleware_fixtures import client as client
from apps.http.middleware_fixtures import running as running
from support.served_app import RunningServer

ASK = b"POST /ask HTTP/1.1\r\nhost: 127.0.0.1\r\n"


def told(running: RunningServer, sent: bytes) -> tuple[bytes, dict[str, Any]]:
    """The head and the error that a connection hears before it is closed."""
    with running.connect() as line:
        line.sendall(sent)
        running.wait_for_bytes(line, len(sent))
        head, _, body = running.time_out(line).partition(b"\r\n\r\n")
    return head, json.loads(body)


@pytest.mark.parametrize(
    ("path", "body", "status", "error"),
    [
        ("/nowhere", b"", 404, "NotFound"),
        ("/bug", b"", 405, "MethodNotAllowed"),
        ("/ask", b"{" + b" " * 2000, 413, "ContentTooLarge"),
        ("/ask", b"{", 422, "UnprocessableContent"),
    ],
)
def test_refusals_have_one_shape(
    client: httpx.Client, path: str, body: bytes, status: int, error: str
) -> None:
    response = client.post(path, content=body)
    assert (response.status_code, response.json()["error"]) == (status, error)
    assert set(response.json()) == {
        *("ok", "error", "message_en", "message_ja", "total", "faults"),
    }
    assert response.headers["x-frame-options"] == "DENY"


def test_fields_are_named_and_what_was_sent_is_not_repeated(client: httpx.Client) -> None:
    response = client.post("/ask", json={"name": "x", "secret": "row 7"})
    found = {fault["column"]: fault for fault in response.json()["faults"]}
    assert found["name"]["message_ja"] == "name は 2 文字以上にしてください"
    assert found["secret"]["message_en"] == "secret is not a known field"
    assert "row 7" not in response.text


def test_another_host_is_refused(client: httpx.Client) -> None:
    response = client.get("/bug", headers={"host": "evil.example"})
    assert (response.status_code, response.json()["error"]) == (421, "MisdirectedRequest")


def test_a_bug_is_told_and_logged_without_its_message(
    client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        response = client.get("/bug")
    assert (response.status_code, response.json()["error"]) == (500, "InternalError")
    assert "ValueError at" in caplog.text
    assert "GET /bug 500" in caplog.text
    assert "row 7" not in caplog.text + response.text


def test_an_answer_before_all_has_come_is_heard_and_closes(running: RunningServer) -> None:
    """Also through two gates, of which the outer one reads on."""
    head = b"POST /in/upload HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 3000000\r\n\r\n"
    heard, error = told(running, head + b"x" * 2_001_000)
    assert heard.startswith(b"HTTP/1.1 403 ")
    assert b"connection: close" in heard.lower()
    assert error["error"] == "Forbidden"


@pytest.mark.parametrize(
    ("sent", "status", "error"),
    [
        (b"GARBAGE\r\n\r\n", b" 400 ", "HttpError"),
        (b"POST /ask HTTP/1.1\r\nhost: 127", b" 408 ", "RequestTimeout"),
        (
            b"POST /ask HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\n{",
            b" 408 ",
            "RequestTimeout",
        ),
    ],
)
def test_broken_and_slow_requests(
    running: RunningServer, sent: bytes, status: bytes, error: str
) -> None:
    heard, found = told(running, sent)
    assert status in heard.split(b"\r\n")[0]
    assert found["error"] == error
