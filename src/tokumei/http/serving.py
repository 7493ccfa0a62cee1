"""Run an application on a listening socket, within what the machine can hold.

with listening("127.0.0.1", 8000) as taken:
    make_server(app, idle_seconds=10).run(sockets=[taken])
"""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Sequence

import uvicorn
from anyio import to_thread
from starlette.types import ASGIApp

from tokumei.http.connection import PatientConnection

MOST_CONNECTIONS = 8192
OTHER_FILES = 256
"""Descriptors kept for databases, files on their way in and other processes."""
THREADS = 100


class Server(uvicorn.Server):
    """A server with threads enough for routes that are no coroutines."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        await super().startup(sockets)


def make_server(
    app: ASGIApp,
    *,
    connection: type[PatientConnection] = PatientConnection,
    idle_seconds: int,
    end_seconds: int = 5,
    trusted_proxies: Sequence[str] = (),
) -> Server:
    """A server that is ready to run on a listening socket."""
    config = uvicorn.Config(
        app,
        http=connection,
        ws="none",
        lifespan="on",
        limit_concurrency=most_connections(),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        timeout_keep_alive=idle_seconds,
        timeout_graceful_shutdown=end_seconds,
    )
    return Server(config)


def allow_all_files() -> None:
    """Let this process open as many files as the system allows it."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_connections() -> int:
    """As many as this process can hold, and still do its work."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, max(most // 2, most - OTHER_FILES))


def log_to_stderr(level: int = logging.INFO) -> None:
    """One line per request and per problem."""
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(message)s")
    # Its exceptions may quote data; ours say where something broke.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
