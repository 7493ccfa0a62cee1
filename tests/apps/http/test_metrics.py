"""Counts are told in the text format that Prometheus reads."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from tokumei.apps.http.metrics import RequestMetrics, make_gauge, prometheus_text


def samples(text: str) -> dict[tuple[str, tuple[str, ...]], float]:
    families = text_string_to_metric_families(text)
    found = (one for family in families for one in family.samples)
    return {(one.name, tuple(one.labels.values())): one.value for one in found}


def test_answers_are_counted_by_status() -> None:
    counts = RequestMetrics()
    for status, seconds in ((200, 0.25), (200, 0.5), (404, 0.25)):
        counts.add(status, seconds)
    text = prometheus_text(counts.metrics())
    assert samples(text) == {
        ("tokumei_http_requests_total", ("200",)): 2,
        ("tokumei_http_requests_total", ("404",)): 1,
        ("tokumei_http_seconds_total", ()): 1,
    }
    assert "# TYPE tokumei_http_requests_total counter" in text.splitlines()


def test_labels_are_escaped_and_metrics_without_values_left_out() -> None:
    odd = 'a"b\\c\nd'
    text = prometheus_text(
        [
            make_gauge("one", "of one value", {(): 7}),
            make_gauge("many", "by name", {(odd,): 2.5}, label="name"),
            make_gauge("none", "of nothing", {}, label="name"),
        ]
    )
    assert samples(text) == {("one", ()): 7, ("many", (odd,)): 2.5}
    assert "none" not in text
