"""Limits how many requests a client may send."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from threading import Lock

from tokumei.apps.http.errors import TooManyRequests

MAX_TRACKED_CLIENTS = 10_000


class RateLimiter:
    """Buckets of requests by asker, refilled all the time; of too many the full are forgotten."""

    def __init__(
        self,
        *,
        burst: float = 300,
        per_second: float = 30,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._burst, self._refill_rate, self._clock = burst, per_second, clock
        self._buckets: dict[Hashable, tuple[float, float]] = {}
        self._lock = Lock()

    def require(self, client: Hashable) -> None:
        """Take one request out of the asker's bucket."""
        with self._lock:
            now = self._clock()
            tokens = self._remaining_tokens(client, now)
            if tokens < 1:
                wait = math.ceil((1 - tokens) / self._refill_rate)
                raise TooManyRequests(
                    "too many requests; please wait {wait} seconds", retry_after=wait, wait=wait
                )
            self._buckets[client] = (tokens - 1, now)
            if len(self._buckets) > MAX_TRACKED_CLIENTS:
                self._drop_idle_clients(now)

    def _remaining_tokens(self, client: Hashable, now: float) -> float:
        tokens, last_time = self._buckets.get(client, (self._burst, now))
        return min(self._burst, tokens + (now - last_time) * self._refill_rate)

    def _drop_idle_clients(self, now: float) -> None:
        """Keep the half that asked most: a new bucket is full, so a full one tells nothing."""
        order = sorted(self._buckets, key=lambda client: self._remaining_tokens(client, now))
        self._buckets = {
            client: self._buckets[client] for client in order[: MAX_TRACKED_CLIENTS // 2]
        }
