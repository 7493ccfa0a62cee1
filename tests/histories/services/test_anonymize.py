"""Tests of tokumei.histories.services.anonymize."""

from __future__ import annotations

import pytest

import tokumei as tk
from histories.services.front_ends_helpers import purchases
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.services.anonymize import anonymize_history
from tokumei.histories.services.requests import AnonymizeHistoryRequest, HistorySource


def test_a_release_is_verified_before_anybody_gets_it(monkeypatch):
    from tokumei.histories.verification.identical_histories import (
        NO_ROWS_VIOLATION,
        IdenticalHistories,
    )

    monkeypatch.setattr(IdenticalHistories, "check", lambda *_, **__: [NO_ROWS_VIOLATION])
    source = HistorySource(data=purchases())
    with pytest.raises(tk.ClaimError):
        anonymize_history(AnonymizeHistoryRequest(source=source, method=RankMatch(k=3), seed=1))
