"""What the tests split from test_guard share."""

from __future__ import annotations

import httpx

from apps.contest.web.scene import URL, run_apart


def statuses(app, *paths: str) -> list[int]:
    async def ask() -> list[int]:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
            return [(await client.get(path)).status_code for path in paths]

    return run_apart(ask())
