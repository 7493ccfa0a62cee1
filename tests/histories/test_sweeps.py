"""Tests of tokumei.histories.sweeps."""

from __future__ import annotations

import tokumei as tk
from tokumei.histories.report.page import render_history_report
from tokumei.histories.sweeps import STRONGEST_FOUND, STRONGEST_HIGH, STRONGEST_LOW


def test_the_page_has_attacks_with_intervals_only_where_there_were_attacks() -> None:
    history = tk.sample_history(600, seed=2)
    attacked = tk.sweep(history, "rank-match", [2, 3], attacks=["best"], seed=1)
    plain = tk.sweep(history, "rank-match", [2, 3], seed=1)
    page = render_history_report([attacked])
    for line in attacked.points:
        rate, low, high = (
            line.measured[name] for name in (STRONGEST_FOUND, STRONGEST_LOW, STRONGEST_HIGH)
        )
        assert f"{rate:.3f}<small>{low:.3f}–{high:.3f}</small>" in page
    assert "Strongest attack" not in render_history_report([plain])
    both = render_history_report([attacked, plain])
    assert 'colspan="6"' in both
    assert 'colspan="4"' in both
