"""Attack and verdict beside 1/k in a sweep; the user's threshold chooses."""

from __future__ import annotations

import tokumei as tk
from tokumei.histories.flow import attack
from tokumei.histories.report.page import render_history_report
from tokumei.histories.standards import choice_words, standards, standards_listing, within


def test_attacks_stay_at_what_is_promised() -> None:
    history = tk.sample_history(1500, seed=2)
    found = tk.sweep(history, "rank-match", [2, 3, 5], attacks=["best"], seed=1)
    lines = standards(found)
    assert [line.risk for line in lines] == [1 / 2, 1 / 3, 1 / 5]
    assert all(line.as_promised for line in lines)
    assert all(line.low <= line.found <= line.high for line in lines)
    release = tk.anonymize(history, "rank-match", k=3, seed=1)
    again = attack(history, release, methods=["best"], seed=1)["best"]
    assert (lines[1].unsafe, lines[1].low, lines[1].high) == (again.unsafe, again.low, again.high)
    for most in (1.0, lines[1].high, 0.0):
        safe = [line for line in lines if line.high <= most]
        chosen = within(found, most)
        if not safe:
            assert chosen is None
            assert "no release" in choice_words(found, most).en
        else:
            best = min(safe, key=lambda line: line.loss)
            assert chosen is not None
            assert chosen.value == best.value
            assert f"= {best.value} has the least loss" in choice_words(found, most).en
    assert len(standards_listing(found).rows) == 3


def test_the_page_has_attacks_with_intervals_only_where_there_were_attacks() -> None:
    history = tk.sample_history(600, seed=2)
    attacked = tk.sweep(history, "rank-match", [2, 3], attacks=["best"], seed=1)
    plain = tk.sweep(history, "rank-match", [2, 3], seed=1)
    page = render_history_report([attacked])
    for line in standards(attacked):
        assert f"{line.found:.3f}<small>{line.low:.3f}–{line.high:.3f}</small>" in page
    assert "Strongest attack" not in render_history_report([plain])
    both = render_history_report([attacked, plain])
    assert 'colspan="6"' in both
    assert 'colspan="4"' in both
