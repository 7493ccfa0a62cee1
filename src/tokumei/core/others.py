"""What other packages add: their entry points.

others("tokumei.kinds")
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def others(group: str) -> list[EntryPoint]:
    """The entry points of a group; folders of `sys.path` that cannot be read have none."""
    return [point for point in _entry_points(tuple(sys.path)) if point.group == group]


@lru_cache(maxsize=1)
def _entry_points(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """All entry points, read once for each value of `sys.path`."""
    from importlib.metadata import entry_points

    found = entry_points()
    return tuple(one for name in found.groups for one in found.select(group=name))
