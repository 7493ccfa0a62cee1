"""A release is verified once: when it is made, or when it is saved, whichever comes first."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakSet

from tokumei.core.claims import CheckedClaim, require_no_faults
from tokumei.core.errors import Fault
from tokumei.core.kind import Release

_PROVEN: WeakSet[object] = WeakSet()


def prove(release: object, faults: Callable[[], list[Fault]]) -> None:
    """Fail unless every claim of the release holds; what was proven is not proven again."""
    if release not in _PROVEN:
        require_no_faults(faults())
        _PROVEN.add(release)


def checked(release: Release, check: Callable[[], list[CheckedClaim]]) -> list[CheckedClaim]:
    """Every claim of a release with its violations; a proven one has none and is not checked."""
    if release in _PROVEN:
        return [CheckedClaim(claim, []) for claim in release.claims]
    found = check()
    if not any(one.faults for one in found):
        _PROVEN.add(release)
    return found
