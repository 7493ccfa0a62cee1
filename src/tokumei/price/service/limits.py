"""What the service allows: sizes, times and numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds that keep one client from holding up the others.

    `searches` run at once, `waiting` more stand in line; any further question is sent away. A
    request's header must arrive within `idle_seconds` and its body within `body_seconds`.
    """

    question_bytes: int = 64 << 10
    price_bytes: int = 8 << 20
    idle_seconds: int = 10
    body_seconds: float = 10.0
    seconds: float = 10.0
    searches: int = max(2, os.cpu_count() or 1)
    waiting: int = 64
    price_lists: int = 100
    best: int = 20
    least_k: int = 2
    uploads: bool = True
