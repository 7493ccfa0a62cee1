"""A whole server of one home, until it is stopped.

    serve_home(Path("contest"), announce=print)          # Started(address, organiser code)

The supervisor holds the listening socket, so that connections wait, and are not refused, while the
web process is started again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname, socket
from typing import Any

from tokumei.contest.server.supervisor import Part, Supervisor
from tokumei.contest.store.settings import DATABASE_VARIABLE, Settings, settings_of
from tokumei.core.text import Text
from tokumei.http.serving import address_of, listening


@dataclass(frozen=True)
class Started:
    """What an organiser needs to know at the start."""

    address: str
    public: bool
    """Whether other machines reach it."""
    organiser_code: str | None
    """Makes who registers with it an organiser; only shown when there is none yet."""
    stop: Callable[[], None]
    """Ends the server."""

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"ok": True, "address": self.address, "organiser_code": self.organiser_code}


def serve_home(home: Path, *, announce: Callable[[Started], None], **given: Any) -> int:
    """Prepare the home if need be, serve until stopped; the exit code."""
    settings = settings_of(home, **given)
    with listening(settings.host, settings.port) as taken:
        code = _prepare(home, settings)
        loopback = taken.getsockname()[0] in ("127.0.0.1", "::1")
        supervisor = Supervisor(parts_of(home, settings, taken), tell=_tell)
        address = settings.public_url or address_of(taken)
        announce(Started(address, not loopback, code, supervisor.stop))
        return supervisor.run()


def parts_of(home: Path, settings: Settings, taken: socket) -> list[Part]:
    """The processes of a server."""
    child = [sys.executable, "-m", "tokumei.contest.server.child"]
    # Not in the arguments, which everybody on the machine can read.
    environment = {**os.environ, DATABASE_VARIABLE: settings.database}
    number = taken.fileno()
    web = Part("web", [*child, "web", str(home), str(number)], environment, (number,))
    # A worker started again under its name takes up what it left.
    names = [f"{gethostname()[:40]}-{os.getpid()}-{n}" for n in range(1, settings.workers + 1)]
    workers = [Part(name, [*child, "worker", str(home), name], environment) for name in names]
    return [web, *workers]


def _tell(name: str, code: int) -> None:
    print(
        Text(
            f"{name} ended ({code}); started again", f"{name} が終了 ({code})。再起動します"
        ).show(),
        file=sys.stderr,
        flush=True,
    )


def _prepare(home: Path, settings: Settings) -> str | None:
    """Make folders and tables; a code for the first organiser if there is none yet."""
    from tokumei.contest.desk.invites import first_organiser_code
    from tokumei.contest.desk.place import open_place
    from tokumei.contest.store.home import prepare_home

    prepare_home(home, settings)
    place = open_place(home, settings=settings)
    try:
        return first_organiser_code(place)
    finally:
        place.close()
