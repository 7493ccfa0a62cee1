"""Run the service on a port.

with listening("127.0.0.1", 8000) as port:
    make_server(create_app(desk, limits), limits).run(sockets=[port])
"""

from __future__ import annotations

import logging
import socket

import uvicorn
from fastapi import FastAPI

from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.price.service.connection import PatientConnection
from tokumei.price.service.limits import Limits

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            Text(
                f"cannot listen on {host} port {port}: {reason}",
                f"{host} のポート {port} で待ち受けできません: {reason}",
            )
        ) from None


def make_server(app: FastAPI, limits: Limits) -> uvicorn.Server:
    """A server that is ready to run on a listening socket."""
    config = uvicorn.Config(
        app,
        http=PatientConnection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=limits.idle_seconds,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)


def log_to_stderr() -> None:
    """One line per request and per problem."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    # Its exceptions may quote data; ours say where something broke.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
