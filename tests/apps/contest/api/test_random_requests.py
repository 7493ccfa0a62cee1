"""Random requests: whatever is asked, the server answers as its OpenAPI document says.

TOKUMEI_REQUESTS=10000 asks that many (`make fuzz`).
"""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest

from support.waiting import HUNG_SECONDS

REQUESTS = int(os.environ.get("TOKUMEI_REQUESTS", "250"))


@pytest.mark.long
def test_random_requests_never_break_the_server(tmp_path: Path) -> None:
    from apps.contest.api.random_requests import Asked

    with Asked.serving(tmp_path) as asked:
        asked.ask(REQUESTS)
        print(dict(sorted(asked.statuses.items())))
        assert sum(asked.statuses.values()) >= REQUESTS
        assert not [status for status in asked.statuses if status >= 500]
        assert httpx.get(asked.url + "/health", timeout=HUNG_SECONDS).json()["ok"]
