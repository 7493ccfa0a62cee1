"""Connections that bring nothing are closed; those that are only slow with a body are not."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request

from support.served_app import RunningServer, run_in_thread
from tokumei.apps.contest.server.web_process import make_web_server
from tokumei.apps.contest.store.server_home import ServerSettings

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"


@pytest.fixture
def running() -> Iterator[RunningServer]:
    app = FastAPI()

    @app.post("/")
    async def size(request: Request) -> int:
        return len(await request.body())

    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        run_in_thread(make_web_server(app, ServerSettings()), taken) as running,
    ):
        yield running


def answer(connection: socket.socket) -> bytes:
    """The body of an answer, of one byte."""
    got = b""
    while got.partition(b"\r\n\r\n")[2] == b"":
        more = connection.recv(1000)
        assert more, got
        got += more
    return got.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("sent", [b"", b"G", HEAD[:-2]])
def test_a_head_without_an_end_is_not_waited_for(running: RunningServer, sent: bytes) -> None:
    with running.connect() as connection:
        connection.sendall(sent)
        running.wait_for_bytes(connection, len(sent))
        assert running.time_out(connection) == b"", "closed by the server"


def test_nor_the_second_of_a_connection(running: RunningServer) -> None:
    with running.connect() as connection:
        connection.sendall(HEAD + b"ab")
        assert answer(connection) == b"2"
        connection.sendall(HEAD[:-2])
        running.wait_for_bytes(connection, len(HEAD + b"ab" + HEAD[:-2]))
        assert running.time_out(connection) == b""


def test_a_body_may_take_longer(running: RunningServer) -> None:
    with running.connect() as connection:
        connection.sendall(HEAD + b"a")
        running.wait_for_bytes(connection, len(HEAD + b"a"))
        running.move_clock()
        connection.sendall(b"b")
        assert answer(connection) == b"2"
