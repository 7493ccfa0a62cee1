"""How many requests were answered, as Prometheus reads it; and how many one may send."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from tokumei.http.refusals import TooMany

MOST_ASKERS = 10_000
Values = Mapping[tuple[str, ...], float]
"""Values by those of the labels."""


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

    def metrics(self) -> list[Metric]:
        """The counts."""
        with self._lock:
            counted: Values = {(str(code),): n for code, n in sorted(self._count.items())}
            seconds = self._seconds
        asked = CounterMetricFamily("tokumei_http_requests", "answers by status", labels=["status"])
        took = CounterMetricFamily("tokumei_http_seconds", "time until answers began")
        return [_filled(asked, counted), _filled(took, {(): seconds})]


def gauge(name: str, about: str, values: Values, *, label: str | None = None) -> Metric:
    """A metric that goes up and down, with one value or one for each value of a label."""
    labels = None if label is None else [label]
    return _filled(GaugeMetricFamily(name, about, labels=labels), values)


def _filled(family: CounterMetricFamily | GaugeMetricFamily, values: Values) -> Metric:
    for labels, value in values.items():
        family.add_metric(labels, value)
    return family


class _Collected(Collector):
    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = [one for one in metrics if one.samples]

    def collect(self) -> Iterable[Metric]:
        return self._metrics


def prometheus_text(metrics: Iterable[Metric]) -> str:
    """Metrics in Prometheus' text format, without those that have no value."""
    registry = CollectorRegistry()
    registry.register(_Collected(metrics))
    return generate_latest(registry).decode()


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
