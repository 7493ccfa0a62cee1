"""Tests of tokumei.api.evaluation."""

from __future__ import annotations

import pytest

import tokumei as tk
from tables.sweeps_fixtures import history as history


def test_threads_change_nothing(history: tk.History, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("TOKUMEI_THREADS", threads)
        found.append(tk.sweep(history, "rank-match", range(2, 8), seed=1).as_json())
    assert found[0] == found[1]
    monkeypatch.setenv("TOKUMEI_THREADS", "none")
    with pytest.raises(tk.UsageError, match="TOKUMEI_THREADS"):
        tk.sweep(history, "rank-match", [2])
