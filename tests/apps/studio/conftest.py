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

from tokumei.apps.studio.jobs.manager import JobManager
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.web.access import SESSION_COOKIE, StudioAccess
from tokumei.apps.studio.web.app import create_studio_app

PORT = 41234


@dataclass
class Studio:
    """The application, its home, and somebody who is in."""

    home: StudioHome
    jobs: JobManager
    access: StudioAccess
    app: Any

    @property
    def mine(self) -> dict[str, str]:
        """The headers of the person's own browser."""
        return {
            "cookie": f"{SESSION_COOKIE}={self.access.session}",
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
    home, jobs = StudioHome.open(tmp_path / "home"), JobManager()
    access = StudioAccess.fresh(PORT)
    made = Studio(home, jobs, access, create_studio_app(home, jobs, access))
    yield made
    jobs.close()
