"""Limits that guard accounts are in the store, so more web processes give nobody more tries."""

from __future__ import annotations

import pytest

from apps.contest.played import Played
from tokumei.apps.http.errors import TooManyRequests


def test_rejected_uploads_have_a_quota_of_their_own(opened_both: Played) -> None:
    opened_both.changed(quotas={"rejected_per_hour": 2, "uploads_per_hour": 20})
    opened_both.submit("ant", b"bad 1")
    opened_both.submit("ant", b"good")
    opened_both.submit("ant", b"bad 2")
    with pytest.raises(TooManyRequests, match="2 rejected uploads per hour") as refusal:
        opened_both.submit("ann", b"good again")
    assert "不受理" in refusal.value.message.show("ja")
    assert int(refusal.value.headers["retry-after"]) <= 3600
    opened_both.submit("bee", b"good")
    opened_both.clock.forward(hours=1, seconds=1)
    opened_both.submit("ant", b"good again")
