"""Counts answered requests and writes metrics in Prometheus' text format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from threading import Lock

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

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
