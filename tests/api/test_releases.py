"""Tests of tokumei.api.releases."""

from __future__ import annotations

import polars as pl
import pytest

import tokumei as tk
from tables.sweeps_fixtures import history as history


def test_every_point_is_that_of_a_release_made_alone(history: tk.History) -> None:
    found = tk.sweep(history, "rank-match", [2, 5, 3], attacks=["best"], measures=["rfm"], seed=1)
    assert [point.value for point in found.points] == [2, 5, 3]
    for point in found.points:
        release = tk.anonymize(history, "rank-match", k=point.value, seed=1)
        scores = tk.measure(history, release)
        assert point.loss == scores["loss"].value
        assert point.rows_kept == scores["rows_kept"].value
        assert point.measured["rfm"] == scores["rfm"].value
        assert point.risk == 1 / point.value
        clusters = 30 // point.value
        assert point.measured["attack_best"] * 30 <= clusters + 3.3 * clusters**0.5


def test_saving_needs_a_path() -> None:
    frame = pl.DataFrame({"age": [31, 32, 41, 42], "zip": ["a", "a", "b", "b"]})
    release = tk.anonymize(frame, "mondrian", qi=["age", "zip"], k=2, seed=1)
    with pytest.raises(tk.UsageError, match="needs a path"):
        tk.save(release)
