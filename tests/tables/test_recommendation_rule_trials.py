"""Tests of tokumei.tables.recommendation_rule_trials."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tables.recommendation_rules.mining_helpers import TREES
from tokumei.tables.data.table import Table
from tokumei.tables.recommendation_rule_trials import rule_trial


def plain_people(seed: int, *, related: bool) -> Table:
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(0, 3, 600), rng.integers(0, 2, 600)])
    job = rng.integers(0, 3, 600)
    job = np.where(related & (rng.random(600) < 0.6), codes[:, 0], job)
    frame = pl.DataFrame(
        {
            "a": TREES["a"].leaves.gather(codes[:, 0]),
            "b": TREES["b"].leaves.gather(codes[:, 1]),
            "job": [f"job {n}" for n in job],
        }
    )
    return Table.of(frame, qi=["a", "b"], sa=[], ids=[])


def test_recommendations_on_the_other_half(tmp_path: Path) -> None:
    (tmp_path / "h_a.csv").write_text("1;low;*\n2;low;*\n3;high;*\n")
    (tmp_path / "h_b.csv").write_text("x;*\ny;*\n")
    given = str(tmp_path / "h_{column}.csv")
    table = plain_people(1, related=True)
    found = rule_trial(table, "job", given, k=5, draws=3, seed=1, people=20)
    lines = {line.way: line for line in found.lines}
    assert lines["original"].lift > 1.5
    assert lines["tfidf"].lift == pytest.approx(lines["original"].lift, rel=0.2)
    assert lines["random-rules"].lift < lines["original"].lift - 0.3
    assert {one.rule for one in found.lost["tfidf"]} == {"job 0", "job 1", "job 2"}
    assert all(one.low <= one.lost <= one.high for one in found.lost["tfidf"])
