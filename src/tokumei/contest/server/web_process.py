"""The pages on a socket: `serve(home, descriptor)`, until SIGTERM."""

from __future__ import annotations

import logging
import socket
from pathlib import Path

import uvicorn
from anyio import to_thread
from fastapi import FastAPI
from sqlalchemy import select

from tokumei.contest.desk.place import Place, open_place
from tokumei.contest.server.connections import PatientProtocol, allow_all_files, most_connections
from tokumei.contest.store.settings import Settings
from tokumei.contest.store.tables import Contest
from tokumei.contest.web.app import make_app

IDLE_SECONDS = 30
END_SECONDS = 10
WARM = 3
THREADS = 100


def serve(home: Path, descriptor: int) -> None:
    """Serve a home on an inherited listening socket."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    allow_all_files()
    place = open_place(home)
    warm(place)
    try:
        taken = socket.socket(fileno=descriptor)
        web_server(make_app(place), place.settings).run(sockets=[taken])
    finally:
        place.close()


def warm(place: Place) -> None:
    """Load the judges of the newest contests, so that the first upload need not wait for that."""
    with place.read() as session:
        newest = select(Contest.folder).order_by(Contest.id.desc()).limit(WARM)
        place.checker.warm(session.scalars(newest).all())


class WebServer(uvicorn.Server):
    """A server with threads enough for pages; uploads wait for their check in others."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        await super().startup(sockets)


def web_server(app: FastAPI, settings: Settings) -> uvicorn.Server:
    """A server that is ready to run on a listening socket."""
    return WebServer(
        uvicorn.Config(
            app,
            http=PatientProtocol,
            ws="none",
            limit_concurrency=most_connections(),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=END_SECONDS,
        )
    )
