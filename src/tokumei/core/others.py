"""What other packages add: their entry points.

    others("tokumei.kinds")

The standard library reads the metadata of all packages to answer that, which takes longer than the
start of many a command; so it is asked only where a file of entry points speaks of us.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_METADATA = (".dist-info", ".egg-info")


def others(group: str) -> list[EntryPoint]:
    """The entry points of a group, which is one of ours."""
    if not _may_speak_of(group.encode()):
        return []
    from importlib.metadata import entry_points

    return list(entry_points(group=group))


def _may_speak_of(group: bytes) -> bool:
    """Whether a package may have entry points in the group; True also where only asking tells."""
    finders = [one for one in sys.meta_path if hasattr(one, "find_distributions")]
    if any(one is not PathFinder for one in finders):
        return True
    return any(_speaks_of(group, Path(folder)) for folder in sys.path)


def _speaks_of(group: bytes, folder: Path) -> bool:
    if not folder.is_dir():
        return folder.exists()  # modules in a zip
    with os.scandir(folder) as found:
        places = [Path(one.path) for one in found if one.name.endswith(_METADATA)]
    return any(group in _entries(place / "entry_points.txt") for place in places)


def _entries(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""
