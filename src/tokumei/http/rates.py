"""How often one may ask: a bucket of requests for everybody, refilled all the time.

Rates(burst=200, per_second=20).require(("token", b"…"))        # TooMany, with seconds to wait
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from threading import Lock

from tokumei.http.refusals import TooMany

MOST_ASKERS = 10_000


class Rates:
    """Buckets by asker; the fullest are forgotten when there are too many."""

    def __init__(
        self,
        *,
        burst: float = 300,
        per_second: float = 30,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._burst, self._speed, self._clock = burst, per_second, clock
        self._held: dict[Hashable, tuple[float, float]] = {}
        self._lock = Lock()

    def require(self, asker: Hashable) -> None:
        """Take one request out of the asker's bucket."""
        with self._lock:
            now = self._clock()
            left = self._left(asker, now)
            if left < 1:
                wait = math.ceil((1 - left) / self._speed)
                raise TooMany(
                    f"too many requests; please wait {wait} seconds",
                    f"要求が多すぎます。{wait} 秒待ってください",
                    retry_after=wait,
                )
            self._held[asker] = (left - 1, now)
            if len(self._held) > MOST_ASKERS:
                self._forget(now)

    def _left(self, asker: Hashable, now: float) -> float:
        left, at = self._held.get(asker, (self._burst, now))
        return min(self._burst, left + (now - at) * self._speed)

    def _forget(self, now: float) -> None:
        """Keep the half that asked most: a new bucket is full, so a full one tells nothing."""
        order = sorted(self._held, key=lambda asker: self._left(asker, now))
        self._held = {asker: self._held[asker] for asker in order[: MOST_ASKERS // 2]}
