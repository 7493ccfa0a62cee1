"""Homes as `prepare_home` makes them, copied from one: its tables are made once a process."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from tokumei.apps.contest.store.server_home import (
    ContestHome,
    ServerSettings,
    open_home,
    prepare_home,
)


@cache
def _first() -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    held = tempfile.TemporaryDirectory(prefix="tokumei-home-")  # removed when the process ends
    return prepare_home(Path(held.name) / "home").path, held


def new_home(path: Path, settings: ServerSettings | None = None) -> ContestHome:
    """A new home with SQLite."""
    shutil.copytree(_first()[0], path)
    return open_home(path, settings)
