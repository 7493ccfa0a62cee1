"""Tests of tokumei.apps.contest.services.upload_intake."""

from __future__ import annotations

from typing import Any

import pytest

from apps.contest.played import SLUG, FirstBytes, Played
from tokumei.apps.contest.services.uploads import submit_release
from tokumei.apps.http.errors import TooManyRequests


def test_nothing_is_checked_beyond_the_quota(opened: Played) -> None:
    for _ in range(15):
        opened.submit("ant")
    late = opened.received()
    checker: Any = None  # asking it would fail
    opened.place.checker = checker
    with pytest.raises(TooManyRequests):
        submit_release(opened.place, opened.viewers["ant"], SLUG, late)
    assert not late.path.exists()
    opened.place.checker = FirstBytes()
