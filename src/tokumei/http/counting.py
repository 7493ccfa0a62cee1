"""How many requests were answered, and in which time; as Prometheus reads it.

counts = Requests()
counts.add(200, 0.012)
metric("tokumei_up", "whether the server answers", {(): 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from threading import Lock

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
