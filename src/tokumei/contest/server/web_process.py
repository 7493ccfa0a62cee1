"""The pages on a socket: `serve(home, descriptor)`, until SIGTERM."""

from __future__ import annotations

import socket
from pathlib import Path

from fastapi import FastAPI
from sqlalchemy import select

from tokumei.contest.api.app import error_json
from tokumei.contest.desk.place import Place, open_place
from tokumei.contest.store.home import Settings
from tokumei.contest.store.tables import Contest
from tokumei.contest.web.app import make_app
from tokumei.core.limits import allow_all_files
from tokumei.http.serving import (
    PatientConnection,
    Server,
    log_to_stderr,
    make_server,
)

IDLE_SECONDS = 30
END_SECONDS = 10
WARM = 3


def serve(home: Path, descriptor: int) -> None:
    """Serve a home on an inherited listening socket."""
    log_to_stderr()
    allow_all_files()
    place = open_place(home)
    warm(place)
    try:
        taken = socket.socket(fileno=descriptor)
        web_server(make_app(place), place.home.settings).run(sockets=[taken])
    finally:
        place.close()


def warm(place: Place) -> None:
    """Load the judges of the newest contests, so that the first upload need not wait for that."""
    with place.read() as session:
        newest = select(Contest).where(~Contest.closed).order_by(Contest.id.desc()).limit(WARM)
        place.checker.warm([place.judge_folder(row) for row in session.scalars(newest)])


class Connection(PatientConnection):
    """A connection whose broken requests are answered as the API answers."""

    shape = staticmethod(error_json)


def web_server(app: FastAPI, settings: Settings) -> Server:
    """A server that is ready to run on a listening socket."""
    return make_server(
        app,
        connection=Connection,
        idle_seconds=IDLE_SECONDS,
        end_seconds=END_SECONDS,
        trusted_proxies=settings.trusted_proxies,
    )
