"""Attack and verdict beside 1/k in a sweep; the user's threshold chooses."""

from __future__ import annotations

import tokumei as tk
from tokumei.histories.flow import attack
from tokumei.histories.report.page import render_history_report
from tokumei.histories.sweeps import (
    FOUND,
    HIGH,
    LOW,
    UNSAFE,
    choice_words,
    standards_listing,
    within,
)


def test_attacks_stay_at_what_is_promised() -> None:
    history = tk.sample_history(1500, seed=2)
    found = tk.sweep(history, "rank-match", [2, 3, 5], attacks=["best"], seed=1)
    lines = found.points
    assert [line.risk for line in lines] == [1 / 2, 1 / 3, 1 / 5]
    assert all(line.measured[LOW] <= line.risk for line in lines)
    assert all(line.measured[LOW] <= line.measured[FOUND] <= line.measured[HIGH] for line in lines)
    release = tk.anonymize(history, "rank-match", k=3, seed=1)
    again = attack(history, release, methods=["best"], seed=1)["best"]
    figures = tuple(lines[1].measured[name] for name in (UNSAFE, LOW, HIGH))
    assert figures == (float(again.unsafe), again.low, again.high)
    for most in (1.0, lines[1].measured[HIGH], 0.0):
        safe = [line for line in lines if line.measured[HIGH] <= most]
        chosen = within(found, most)
        if not safe:
            assert chosen is None
            assert "no release" in choice_words(found, most).en
        else:
            best = min(safe, key=lambda line: line.loss)
            assert chosen is not None
            assert chosen.value == best.value
            assert f"= {best.value} has the least loss" in choice_words(found, most).en
    listed = standards_listing(found).rows
    assert [row[0] for row in listed] == ["2", "3", "5"]
    assert {row[4] for row in listed} == {"yes"}


def test_the_page_has_attacks_with_intervals_only_where_there_were_attacks() -> None:
    history = tk.sample_history(600, seed=2)
    attacked = tk.sweep(history, "rank-match", [2, 3], attacks=["best"], seed=1)
    plain = tk.sweep(history, "rank-match", [2, 3], seed=1)
    page = render_history_report([attacked])
    for line in attacked.points:
        rate, low, high = (line.measured[name] for name in (FOUND, LOW, HIGH))
        assert f"{rate:.3f}<small>{low:.3f}–{high:.3f}</small>" in page
    assert "Strongest attack" not in render_history_report([plain])
    both = render_history_report([attacked, plain])
    assert 'colspan="6"' in both
    assert 'colspan="4"' in both
