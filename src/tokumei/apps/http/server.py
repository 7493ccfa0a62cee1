"""Runs an application on a listening socket, with limits on connections.

    with open_listening_socket("127.0.0.1", 8000) as socket:
        make_server(app, idle_seconds=10).run(sockets=[socket])

Connections do not wait for ever, and speak JSON even about broken HTTP.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import time
from collections.abc import Sequence
from typing import ClassVar

import h11
import uvicorn
from anyio import to_thread
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from tokumei.apps.http.errors import HttpError, request_timeout_error
from tokumei.apps.http.responses import json_bytes
from tokumei.core.errors import TokumeiError, UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.process_limits import open_file_limit

BROKEN_HTTP = Message("this is not a valid HTTP request")
HEADER_TIMEOUT = Message("the header did not arrive within {seconds:g} seconds")
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
SOCKET_BACKLOG = 1024
"""Connections that wait while the web process is started again."""


def open_listening_socket(host: str, port: int) -> socket.socket:
    """A socket that takes connections; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=SOCKET_BACKLOG)
    except (OSError, OverflowError) as error:
        raise UsageError(_describe_bind_error(host, port, error)) from None


def _describe_bind_error(host: str, port: int, error: Exception) -> Message:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return Message(
            "port {port} of {host} is in use; choose another with --port (0: any free one)",
            port=port,
            host=host,
        )
    reason = getattr(error, "strerror", None) or str(error)
    return Message(
        "cannot listen on {host} port {port}: {reason}", host=host, port=port, reason=reason
    )


def browser_address(taken: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    host, port = taken.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class TimeoutConnection(H11Protocol):
    """A connection that is closed if a request's head does not come to its end."""

    head_seconds: ClassVar[float] = 20.0
    """From the first byte of a request (or the begin of a connection) to the end of its head."""
    responds_when_late: ClassVar[bool] = False
    """Whether a late client is told so. A browser or proxy that keeps a connection for its next
    request could take that for the answer to it."""

    _head_timer: asyncio.TimerHandle | None = None

    @staticmethod
    def shape(error: TokumeiError) -> JsonObject:
        """An error as plain data."""
        return error.as_json()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._start_head_timer()

    def data_received(self, data: bytes) -> None:
        """Take bytes; while they are of no complete head, the time runs."""
        super().data_received(data)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._cancel_head_timer()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._send_error_response(HttpError(BROKEN_HTTP))

    def _start_head_timer(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._cancel_head_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_seconds, self._on_head_timeout)

    def _cancel_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _on_head_timeout(self) -> None:
        self._head_timer = None
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            return
        if self.responds_when_late:
            self._send_error_response(request_timeout_error(HEADER_TIMEOUT, self.head_seconds))
        else:
            self.transport.close()

    def _send_error_response(self, error: HttpError) -> None:
        self._cancel_head_timer()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json_bytes(self.shape(error))
            headers = [
                ("content-type", "application/json"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            start = h11.Response(status_code=error.status, headers=headers)
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


MAX_CONNECTIONS = 8192
RESERVED_DESCRIPTORS = 256
"""Descriptors kept for databases, files on their way in and other processes."""
WORKER_THREADS = 100


class ThreadedServer(uvicorn.Server):
    """A server with threads enough for routes that are no coroutines."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        to_thread.current_default_thread_limiter().total_tokens = WORKER_THREADS
        await super().startup(sockets)


def make_server(
    app: ASGIApp,
    *,
    connection: type[TimeoutConnection] = TimeoutConnection,
    idle_seconds: int,
    end_seconds: int = 5,
    trusted_proxies: Sequence[str] = (),
) -> ThreadedServer:
    """A server that is ready to run on a listening socket."""
    config = uvicorn.Config(
        app,
        http=connection,
        ws="none",
        lifespan="on",
        limit_concurrency=connection_limit(),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        timeout_keep_alive=idle_seconds,
        timeout_graceful_shutdown=end_seconds,
    )
    return ThreadedServer(config)


def connection_limit() -> int:
    """As many as this process can hold, and still do its work."""
    file_limit = open_file_limit()
    if file_limit is None:
        return MAX_CONNECTIONS
    return min(MAX_CONNECTIONS, max(file_limit // 2, file_limit - RESERVED_DESCRIPTORS))


def log_to_stderr() -> None:
    """One line per request and per problem."""
    lines = logging.Formatter("%(asctime)sZ %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S")
    lines.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(lines)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    # Its exceptions may quote data; ours say where something broke.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
