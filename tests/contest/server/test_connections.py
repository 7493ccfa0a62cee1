"""Connections that bring nothing are closed; those that are only slow with a body are not."""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request

from tokumei.contest.server.web_process import web_server
from tokumei.contest.store.home import Settings
from tokumei.core.limits import allow_all_files
from tokumei.http.serving import MOST_CONNECTIONS, PatientConnection

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(PatientConnection, "head_seconds", 0.2)
    app = FastAPI()

    @app.post("/")
    async def size(request: Request) -> int:
        return len(await request.body())

    server = web_server(app, Settings())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        thread = threading.Thread(target=server.run, args=([taken],), daemon=True)
        thread.start()
        yield taken.getsockname()[1]
        server.should_exit = True
        thread.join(30)
    assert not thread.is_alive()


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def answer(connection: socket.socket) -> bytes:
    """The body of an answer, of one byte."""
    got = b""
    while got.partition(b"\r\n\r\n")[2] == b"":
        more = connection.recv(1000)
        assert more, got
        got += more
    return got.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("sent", [b"", b"G", HEAD[:-2]])
def test_a_head_without_an_end_is_not_waited_for(port: int, sent: bytes) -> None:
    with connect(port) as connection:
        connection.sendall(sent)
        assert connection.recv(100) == b"", "closed by the server"


def test_nor_the_second_of_a_connection(port: int) -> None:
    with connect(port) as connection:
        connection.sendall(HEAD + b"ab")
        assert answer(connection) == b"2"
        connection.sendall(HEAD[:-2])
        assert connection.recv(1000) == b""


def test_a_body_may_take_longer(port: int) -> None:
    with connect(port) as connection:
        connection.sendall(HEAD + b"a")
        time.sleep(0.5)
        connection.sendall(b"b")
        assert answer(connection) == b"2"


def test_more_connections_than_people_need_and_fewer_than_files() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        allow_all_files()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert soft == hard
        limit = web_server(FastAPI(), Settings()).config.limit_concurrency
        assert limit is not None
        assert 500 <= limit <= MOST_CONNECTIONS
        assert limit < hard or hard == resource.RLIM_INFINITY
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
