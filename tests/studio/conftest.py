"""A studio without a socket: its application, asked directly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tokumei.studio.jobs.board import Jobs
from tokumei.studio.store.home import Home
from tokumei.studio.web.access import COOKIE, Access
from tokumei.studio.web.app import make_app

PORT = 41234


@dataclass
class Studio:
    """The application, its home, and somebody who is in."""

    home: Home
    jobs: Jobs
    access: Access
    app: Any

    @property
    def mine(self) -> dict[str, str]:
        """The headers of the person's own browser."""
        return {
            "cookie": f"{COOKIE}={self.access.session}",
            "origin": self.access.origin,
            "sec-fetch-site": "same-origin",
        }

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """An answer to a request; `headers` None: those of the person."""
        headers = {**self.mine, **(more.pop("headers", None) or {})}
        return self.raw(method, f"{self.access.base}{path}", headers=headers, **more)

    def raw(self, method: str, path: str, **more: Any) -> httpx.Response:
        """An answer to a request with just these headers."""

        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url=self.access.origin
            ) as client:
                return await client.request(method, path, **more)

        # In a thread of its own: a browser's tests leave a loop that runs in theirs.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, asked()).result()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    home, jobs = Home.open(tmp_path / "home"), Jobs()
    access = Access.fresh(PORT)
    made = Studio(home, jobs, access, make_app(home, jobs, access))
    yield made
    jobs.close()
