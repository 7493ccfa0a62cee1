"""Tests of tokumei.histories.flow."""

from __future__ import annotations

import tokumei as tk
from tokumei.histories.flow import attack
from tokumei.histories.sweeps import (
    STRONGEST_FOUND,
    STRONGEST_HIGH,
    STRONGEST_LOW,
    STRONGEST_UNSAFE,
    attack_table,
    describe_choice,
    select_within_risk,
)


def test_attacks_stay_at_what_is_promised() -> None:
    history = tk.sample_history(1500, seed=2)
    found = tk.sweep(history, "rank-match", [2, 3, 5], attacks=["best"], seed=1)
    lines = found.points
    assert [line.risk for line in lines] == [1 / 2, 1 / 3, 1 / 5]
    assert all(line.measured[STRONGEST_LOW] <= line.risk for line in lines)
    assert all(
        line.measured[STRONGEST_LOW]
        <= line.measured[STRONGEST_FOUND]
        <= line.measured[STRONGEST_HIGH]
        for line in lines
    )
    release = tk.anonymize(history, "rank-match", k=3, seed=1)
    again = attack(history, release, methods=["best"], seed=1)["best"]
    figures = tuple(
        lines[1].measured[name] for name in (STRONGEST_UNSAFE, STRONGEST_LOW, STRONGEST_HIGH)
    )
    assert figures == (float(again.unsafe), again.low, again.high)
    for most in (1.0, lines[1].measured[STRONGEST_HIGH], 0.0):
        safe = [line for line in lines if line.measured[STRONGEST_HIGH] <= most]
        chosen = select_within_risk(found, most)
        if not safe:
            assert chosen is None
            assert "no release" in describe_choice(found, most).show("en")
        else:
            best = min(safe, key=lambda line: line.loss)
            assert chosen is not None
            assert chosen.value == best.value
            assert f"= {best.value} has the least loss" in describe_choice(found, most).show("en")
    listed = attack_table(found).rows
    assert [row[0] for row in listed] == ["2", "3", "5"]
    assert {row[4] for row in listed} == {"yes"}
