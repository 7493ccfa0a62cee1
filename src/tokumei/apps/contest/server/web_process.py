"""Entry point of the web process: `serve_web(home, descriptor)` runs until SIGTERM."""

from __future__ import annotations

import socket
from pathlib import Path

from fastapi import FastAPI
from sqlalchemy import select

from tokumei.apps.contest.api.app import error_json
from tokumei.apps.contest.services.context import AppContext, open_app_context
from tokumei.apps.contest.store.server_home import ServerSettings
from tokumei.apps.contest.store.tables import Contest
from tokumei.apps.contest.web.app import make_app
from tokumei.apps.http.server import ThreadedServer, TimeoutConnection, log_to_stderr, make_server
from tokumei.core.process_limits import raise_open_file_limit

IDLE_SECONDS = 30
STOP_SECONDS = 10
PRELOADED_CONTESTS = 3


def serve_web(home: Path, descriptor: int) -> None:
    """Serve a home on an inherited listening socket."""
    log_to_stderr()
    raise_open_file_limit()
    context = open_app_context(home)
    preload_judges(context)
    try:
        listener = socket.socket(fileno=descriptor)
        make_web_server(make_app(context), context.home.settings).run(sockets=[listener])
    finally:
        context.close()


def preload_judges(context: AppContext) -> None:
    """Load the judges of the newest contests, so that the first upload need not wait for that."""
    with context.read() as session:
        newest = (
            select(Contest)
            .where(~Contest.closed)
            .order_by(Contest.id.desc())
            .limit(PRELOADED_CONTESTS)
        )
        context.checker.warm([context.judge_folder(row) for row in session.scalars(newest)])


class ApiConnection(TimeoutConnection):
    """A connection whose broken requests are answered as the API answers."""

    shape = staticmethod(error_json)


def make_web_server(app: FastAPI, settings: ServerSettings) -> ThreadedServer:
    """A server that is ready to run on a listening socket."""
    return make_server(
        app,
        connection=ApiConnection,
        idle_seconds=IDLE_SECONDS,
        end_seconds=STOP_SECONDS,
        trusted_proxies=settings.trusted_proxies,
    )
