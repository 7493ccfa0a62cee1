"""Counts requests for Prometheus, and limits request rates."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from tokumei.apps.http.errors import TooManyRequests

MAX_TRACKED_CLIENTS = 10_000
MetricValues = Mapping[tuple[str, ...], float]
"""Values by those of the labels."""


class RequestMetrics:
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
            counts_by_status: MetricValues = {
                (str(code),): n for code, n in sorted(self._count.items())
            }
            seconds = self._seconds
        request_counter = CounterMetricFamily(
            "tokumei_http_requests", "answers by status", labels=["status"]
        )
        seconds_counter = CounterMetricFamily("tokumei_http_seconds", "time until answers began")
        return [
            _fill_metric(request_counter, counts_by_status),
            _fill_metric(seconds_counter, {(): seconds}),
        ]


def make_gauge(name: str, about: str, values: MetricValues, *, label: str | None = None) -> Metric:
    """A metric that goes up and down, with one value or one for each value of a label."""
    labels = None if label is None else [label]
    return _fill_metric(GaugeMetricFamily(name, about, labels=labels), values)


def _fill_metric(family: CounterMetricFamily | GaugeMetricFamily, values: MetricValues) -> Metric:
    for labels, value in values.items():
        family.add_metric(labels, value)
    return family


class _MetricsCollector(Collector):
    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = [metric for metric in metrics if metric.samples]

    def collect(self) -> Iterable[Metric]:
        return self._metrics


def prometheus_text(metrics: Iterable[Metric]) -> str:
    """Metrics in Prometheus' text format, without those that have no value."""
    registry = CollectorRegistry()
    registry.register(_MetricsCollector(metrics))
    return generate_latest(registry).decode()


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
                    f"too many requests; please wait {wait} seconds",
                    f"要求が多すぎます。{wait} 秒待ってください",
                    retry_after=wait,
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
