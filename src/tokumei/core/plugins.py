"""Loads the entry points of other packages.

load_plugins("tokumei.kinds")
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def load_plugins(group: str) -> list[EntryPoint]:
    """The entry points of a group; folders of `sys.path` that cannot be read have none."""
    return [point for point in _all_entry_points(tuple(sys.path)) if point.group == group]


@lru_cache(maxsize=1)
def _all_entry_points(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """All entry points, read once for each value of `sys.path`."""
    from importlib.metadata import entry_points

    all_points = entry_points()
    return tuple(point for name in all_points.groups for point in all_points.select(group=name))
