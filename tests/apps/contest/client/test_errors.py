"""Tests of tokumei.apps.contest.client.errors."""

from __future__ import annotations

import pytest

from apps.contest.client.contest_client_fixtures import Server
from apps.contest.client.contest_client_fixtures import slept as slept
from tokumei.apps.contest.client import errors
from tokumei.apps.contest.client.contest_client import ContestClient
from tokumei.apps.contest.client.errors import RemoteRefusal


def test_it_gives_up_after_a_while_and_says_so(slept: list[float]) -> None:
    server = Server(*["40"] * 9)
    with pytest.raises(RemoteRefusal) as refused:
        ContestClient("http://x", transport=server).contests()
    assert sum(slept) == 80 <= errors.MOST_WAIT_SECONDS
    assert refused.value.message.show("en").startswith("too many; gave up after waiting 80 seconds")
    assert "80 秒待ちました" in refused.value.message.show("ja")
    assert refused.value.retry_after == 40
