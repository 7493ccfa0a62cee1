"""How many threads to use: `TOKUMEI_THREADS`, else as many as there are cores for us."""

from __future__ import annotations

import os

from tokumei.core.errors import UsageError


def threads() -> int:
    """At least one. The number never changes a result, only its time."""
    given = os.environ.get("TOKUMEI_THREADS", "")
    if not given:
        ours = getattr(os, "sched_getaffinity", None)
        return len(ours(0)) if ours else os.cpu_count() or 1
    if not given.isdecimal() or int(given) < 1:
        raise UsageError(
            f"TOKUMEI_THREADS must be a whole number from 1, not '{given}'",
            f"TOKUMEI_THREADS は 1 以上の整数にしてください ('{given}')",
        )
    return int(given)
