"""Run a studio on a free port of the loopback address, and open the browser on it.

    serve(Home.open("~/tokumei-studio"), tell=print)

The address with the token goes to the person alone: to the terminal, and to the browser by a page
in the home that only its owner may read, for every user of a machine may see what a command is
started with.
"""

from __future__ import annotations

import logging
import webbrowser
from collections.abc import Callable
from html import escape
from pathlib import Path

from tokumei.core.limits import allow_all_files
from tokumei.files.atomic import Output, write_all
from tokumei.http.serving import LOOPBACK, listening, make_server
from tokumei.studio.jobs.board import JobLimits, Jobs
from tokumei.studio.store.home import Home
from tokumei.studio.store.project import Project
from tokumei.studio.web.access import Access
from tokumei.studio.web.app import SECONDS, make_app

IDLE_SECONDS = 30
_PAGE = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={to}">'


def serve(
    home: Home,
    *,
    port: int = 0,
    first: Path | None = None,
    browser: bool = True,
    limits: JobLimits | None = None,
    seconds: float = SECONDS,
    tell: Callable[[str], None],
) -> None:
    """Serve until stopped; `tell` is given the first address. `first` begins a project.

    `seconds` are for one search of candidates.
    """
    allow_all_files()
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    jobs = Jobs(limits)
    jobs.open(home)
    with listening(LOOPBACK[0], port) as taken:
        access = Access.fresh(taken.getsockname()[1])
        project = None if first is None else home.begin(first.name, first)
        if project is not None:
            jobs.start(project, "look")
        tell(access.first_address)
        if browser:
            _open(home, access, project)
        app = make_app(home, jobs, access, seconds=seconds)
        make_server(app, idle_seconds=IDLE_SECONDS, end_seconds=1).run(sockets=[taken])


def _open(home: Home, access: Access, project: Project | None) -> None:
    place = home.folder / "open.html"
    page = _PAGE.format(to=escape(access.first_address, quote=True)).encode()
    write_all([Output(place, lambda stream: stream.write(page), secret=True)])
    webbrowser.open(place.as_uri())
