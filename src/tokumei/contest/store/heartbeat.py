"""Signs of life of workers: a file each in the home's scratch folder, which pages can see.

beat(home.path, "host-1")
workers_alive(home.path, within=90)       # how many gave a sign so lately
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

_ENDING = ".alive"


def beat(home: Path, name: str) -> None:
    """Give a sign of life."""
    _path(home, name).touch()


def end(home: Path, name: str) -> None:
    """Take it back, at a proper end."""
    _path(home, name).unlink(missing_ok=True)


def workers_alive(home: Path, *, within: float) -> int:
    """How many workers gave a sign in the last seconds."""
    alive = 0
    for path in (home / "scratch").glob(f"*{_ENDING}"):
        with suppress(FileNotFoundError):
            alive += time.time() - path.stat().st_mtime <= within
    return alive


def _path(home: Path, name: str) -> Path:
    return home / "scratch" / f"{name.replace('/', '-')}{_ENDING}"
