"""How many requests were answered, as Prometheus reads it; and how many one may send."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from threading import Lock

from tokumei.http.refusals import TooMany

MOST_ASKERS = 10_000
Labels = tuple[tuple[str, str], ...]
Values = Mapping[Labels, float]


class Requests:
    """Counts of one process since its start."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count: Counter[int] = Counter()
        self._seconds = 0.0

    def add(self, status: int, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            self._count[status] += 1
            self._seconds += seconds

    def text(self) -> str:
        """The counts in Prometheus' text format."""
        with self._lock:
            counted: Values = {
                (("status", str(code)),): n for code, n in sorted(self._count.items())
            }
            seconds = self._seconds
        return metric(
            "tokumei_http_requests_total", "answers by status", counted, kind="counter"
        ) + metric(
            "tokumei_http_seconds_total", "time until answers began", {(): seconds}, kind="counter"
        )


def metric(name: str, about: str, values: Values, *, kind: str = "gauge") -> str:
    """One metric with all its values; nothing if there are none."""
    if not values:
        return ""
    lines = [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
    for labels, value in values.items():
        shown = ",".join(f'{key}="{text}"' for key, text in labels)
        lines.append(f"{name}{{{shown}}} {value:.10g}" if shown else f"{name} {value:.10g}")
    return "\n".join(lines) + "\n"


class Rates:
    """Buckets of requests by asker, refilled all the time; of too many the full are forgotten."""

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
