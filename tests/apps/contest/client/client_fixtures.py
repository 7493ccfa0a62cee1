"""What the tests split from test_client share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.contest.played import ANONYMIZING, Played
from tokumei.apps.contest.client import contest_client
from tokumei.apps.contest.store.server_home import prepare_home


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("client")
    played = Played.open(prepare_home(folder / "home"), folder)
    yield played
    played.close()


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, opened: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(contest_client, "POLL_SECONDS", 0.01)
    opened.clock.to(ANONYMIZING)
