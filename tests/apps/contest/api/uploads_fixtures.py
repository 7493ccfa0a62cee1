"""What the tests split from test_uploads share."""

from __future__ import annotations

import httpx
import pytest

from apps.contest.played import ANONYMIZING, Played

URL = "/contests/cup/submissions"


@pytest.fixture(autouse=True)
def in_time(opened: Played) -> None:
    opened.clock.to(ANONYMIZING)


def error(response: httpx.Response, status: int) -> str:
    told = response.json()
    assert response.status_code == status, told
    assert (told["ok"], told["status"]) == (False, status)
    return str(told["message_en"])
