"""A server in a thread of this process, whose clock stands still until a test moves it.

    with run_in_thread(server, listening_socket) as running:
        with running.connect() as client:
            client.sendall(b"half a head")
            answer = running.time_out(client)       # what is said when the time of it is over

What is sent in time and what is not must not depend on how fast the machine is. So no second passes
for the server's event loop by itself: a test moves its clock beyond a limit after the server
received all that the client sent.
"""

from __future__ import annotations

import asyncio
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import uvicorn

from support.waiting import HUNG_SECONDS, wait_until

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol

FAR = 86_400.0
"""Seconds beyond any limit of a connection."""
LOOK_SECONDS = 0.02


class StoppedClockLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock only a test moves."""

    now = 0.0

    def time(self) -> float:
        """The clock of all timers of this loop."""
        return self.now


@dataclass
class RunningServer:
    """A server that runs, and what it received on each connection."""

    port: int
    loop: StoppedClockLoop = field(default_factory=StoppedClockLoop)
    received: Counter[int] = field(default_factory=Counter)
    """Bytes by the client's port."""

    @property
    def address(self) -> str:
        """What a client asks."""
        return f"http://127.0.0.1:{self.port}"

    def connect(self) -> socket.socket:
        """A new connection to the server."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=HUNG_SECONDS)

    def move_clock(self, seconds: float = FAR) -> None:
        """Let so many seconds pass for the server."""

        def move() -> None:
            self.loop.now += seconds

        self.loop.call_soon_threadsafe(move)

    def wait_for_bytes(self, client: socket.socket, count: int) -> None:
        """Wait until the server received so many bytes of a client."""
        port = client.getsockname()[1]
        wait_until(lambda: self.received[port] >= count, what=f"receiving {count} bytes")

    def time_out(self, client: socket.socket) -> bytes:
        """Let time pass until the server closes the connection; what it says before."""
        heard, hung = b"", time.monotonic() + HUNG_SECONDS
        while True:
            assert time.monotonic() < hung, "the server did not close the connection"
            if select.select([client], [], [], LOOK_SECONDS)[0]:
                part = client.recv(1 << 16)
                if not part:
                    return heard
                heard += part
            else:
                self.move_clock()


@contextmanager
def run_in_thread(server: uvicorn.Server, listening: socket.socket) -> Iterator[RunningServer]:
    """Serve on a listening socket until the block ends."""
    running = RunningServer(listening.getsockname()[1])
    server.config.http = _count_bytes(server.config, running.received)
    thread = threading.Thread(target=_serve, args=(server, listening, running.loop), daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive(), what="the start of a server")
        assert server.started, "the server ended while it started"
        yield running
    finally:
        server.should_exit = True
        wait_until(lambda: _has_ended(thread, running), what="the end of a server")


def _has_ended(thread: threading.Thread, running: RunningServer) -> bool:
    """Let a little time pass, for a server looks ten times a second whether it should end."""
    with suppress(RuntimeError):  # the loop was closed meanwhile
        running.move_clock(0.1)
    return not thread.is_alive()


def _serve(server: uvicorn.Server, listening: socket.socket, loop: StoppedClockLoop) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(server.serve([listening]))


def _count_bytes(config: uvicorn.Config, received: Counter[int]) -> type[H11Protocol]:
    """The connections of a server, which also count what each client sent."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    given = config.http
    connection = given if isinstance(given, type) and issubclass(given, H11Protocol) else None

    class Counted(connection or H11Protocol):  # type: ignore[misc]
        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.client is not None:
                received[self.client[1]] += len(data)

    return Counted
