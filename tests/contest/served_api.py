"""The API of a played contest on a free port of this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from support.served_app import RunningServer, run_in_thread
from tokumei.contest.api.app import PREFIX, UNREADABLE, answer, api_app, field_error
from tokumei.contest.desk.place import Place
from tokumei.http.answers import add_errors
from tokumei.http.counting import Rates

UNHURRIED = {"burst": 1e9, "per_second": 1e9}


@contextmanager
def serving(place: Place, rates: Rates | None = None) -> Iterator[RunningServer]:
    """The running server; its address is without the API's prefix."""
    app = FastAPI(openapi_url=None)
    add_errors(app, answer, fields=field_error, unreadable=UNREADABLE)
    app.mount(PREFIX, api_app(place, rates=rates or Rates(**UNHURRIED)))
    config = uvicorn.Config(app, log_config=None, ws="none", timeout_graceful_shutdown=2)
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        run_in_thread(uvicorn.Server(config), taken) as running,
    ):
        yield running
