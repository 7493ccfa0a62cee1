"""A release is verified once: when it is made, or when it is saved, whichever comes first."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakSet

from tokumei.core.claims import require_no_faults
from tokumei.core.errors import Fault

_PROVEN: WeakSet[object] = WeakSet()


def prove(release: object, faults: Callable[[], list[Fault]]) -> None:
    """Fail unless every claim of the release holds; what was proven is not proven again."""
    if release not in _PROVEN:
        require_no_faults(faults())
        _PROVEN.add(release)
