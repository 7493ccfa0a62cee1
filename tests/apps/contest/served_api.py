"""The API of a played contest on a free port of this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from support.served_app import RunningServer, run_in_thread
from tokumei.apps.contest.api.app import (
    PREFIX,
    UNREADABLE_BODY,
    error_response,
    make_api_app,
    to_http_error,
)
from tokumei.apps.contest.services.context import AppContext
from tokumei.apps.http.rate_limit import RateLimiter
from tokumei.apps.http.responses import add_error_handlers

UNHURRIED = {"burst": 1e9, "per_second": 1e9}


@contextmanager
def serving(place: AppContext, rates: RateLimiter | None = None) -> Iterator[RunningServer]:
    """The running server; its address is without the API's prefix."""
    app = FastAPI(openapi_url=None)
    add_error_handlers(app, error_response, fields=to_http_error, unreadable=UNREADABLE_BODY)
    app.mount(PREFIX, make_api_app(place, rates=rates or RateLimiter(**UNHURRIED)))
    config = uvicorn.Config(app, log_config=None, ws="none", timeout_graceful_shutdown=2)
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        run_in_thread(uvicorn.Server(config), taken) as running,
    ):
        yield running
