"""Tests of tokumei.pages.sweep_report."""

from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.histories.report.chart_data import to_sweep_runs
from tokumei.histories.report.verdict import history_verdict
from tokumei.pages.sweep_report import sweep_result


def categories():
    """By the contest's figure k = 6 is best, against the real items k = 7."""
    points = {6: (0.30, 0.60), 7: (0.33, 0.50)}
    return Sweep(
        "rank-match",
        "k",
        tuple(
            SweepPoint(k, loss, 1 / k, 1.0, {"honest_loss": honest, "plain_loss": 0.4})
            for k, (loss, honest) in points.items()
        ),
    )


def test_a_sentence_speaks_of_one_loss():
    text = str(sweep_result([categories()], []).shown[-1].show("en"))
    first, real = text.split("Against the real items")
    assert "k = 6 (0.4667)" in first
    assert "k = 7 (0.6429)" in real
    verdict = history_verdict(*to_sweep_runs([categories()]))
    assert "k = 7 has the smallest sum" in verdict.headline.show("en")
    assert "loss 0.500" in verdict.detail.show("en")
