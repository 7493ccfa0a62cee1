"""Runs a studio on a free port of the loopback address, and opens the browser.

    serve_studio(StudioHome.open("~/tokumei-studio"), tell=print)

The address with the token goes to the person alone: to the terminal, and to the browser by a page
in the home that only its owner may read, for every user of a machine may see what a command is
started with.
"""

from __future__ import annotations

import logging
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path

from tokumei.apps.http.server import LOOPBACK_HOSTS, make_server, open_listening_socket
from tokumei.apps.studio.jobs.manager import JobLimits, JobManager
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.saved_address import (
    SavedAddress,
    make_address,
    read_address,
    save_address,
)
from tokumei.apps.studio.web.access import StudioAccess
from tokumei.apps.studio.web.app import SEARCH_SECONDS, create_studio_app
from tokumei.core.errors import UsageError
from tokumei.core.process_limits import raise_open_file_limit
from tokumei.files.atomic_write import Output, write_all

IDLE_SECONDS = 30
_REDIRECT_PAGE = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={to}">'
)


def serve_studio(
    home: StudioHome,
    *,
    port: int = 0,
    first: Path | None = None,
    browser: bool = True,
    limits: JobLimits | None = None,
    seconds: float = SEARCH_SECONDS,
    new_address: bool = False,
    tell: Callable[[str], None],
) -> None:
    """Serve until stopped; `tell` is given the first address. `first` begins a project.

    `seconds` are for one search of candidates. The address is that of the last time, so that
    bookmarks work, unless its port is taken or a `new_address` is asked for.
    """
    raise_open_file_limit()
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    jobs = JobManager(limits)
    jobs.open(home)
    saved = None if new_address else read_address(home.folder)
    with _listen(port, saved) as server_socket:
        access = _keep_access(home, server_socket.getsockname()[1], saved)
        project = None if first is None else home.begin(first.name, first)
        if project is not None:
            jobs.start(project, "look")
        tell(access.first_address)
        if browser:
            _open_browser(home, access, project)
        app = create_studio_app(home, jobs, access, seconds=seconds)
        make_server(app, idle_seconds=IDLE_SECONDS, end_seconds=1).run(sockets=[server_socket])


def _listen(port: int, saved: SavedAddress | None) -> socket.socket:
    """The port that was asked for, else the one of the last time, else any free one."""
    if not port and saved is not None:
        try:
            return open_listening_socket(LOOPBACK_HOSTS[0], saved.port)
        except UsageError:
            pass  # somebody else has it: any other will do
    return open_listening_socket(LOOPBACK_HOSTS[0], port)


def _keep_access(home: StudioHome, port: int, saved: SavedAddress | None) -> StudioAccess:
    """The secrets of the last time, or new ones; kept for the next time."""
    address = make_address(port) if saved is None else replace(saved, port=port)
    save_address(home.folder, address)
    return StudioAccess.of(address)


def _open_browser(home: StudioHome, access: StudioAccess, project: Project | None) -> None:
    page_path = home.folder / "open.html"
    page = _REDIRECT_PAGE.format(to=escape(access.first_address, quote=True)).encode()
    write_all([Output(page_path, lambda stream: stream.write(page), secret=True)])
    webbrowser.open(page_path.as_uri())
