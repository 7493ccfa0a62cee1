from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from apps.contest.played import Played
from apps.contest.served_api import serving
from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.api.app import PREFIX
from tokumei.apps.contest.store.server_home import prepare_home


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A contest in its anonymize phase, one for a module."""
    folder = tmp_path_factory.mktemp("opened")
    played = Played.open(prepare_home(folder / "home"), folder)
    yield played
    played.close()


@pytest.fixture(scope="module")
def address(opened: Played) -> Iterator[str]:
    with serving(opened.place) as running:
        yield running.address + PREFIX


@pytest.fixture(scope="module")
def ant(opened: Played, address: str) -> Iterator[httpx.Client]:
    headers = {"authorization": f"Bearer {opened.tokens['ant']}"}
    with httpx.Client(base_url=address, headers=headers, timeout=HUNG_SECONDS) as client:
        yield client
