from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.contest.played import Played
from tokumei.apps.contest.store.server_home import ContestHome, prepare_home


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("begun")
    played = Played.open(prepare_home(folder / "home"), folder)
    yield played
    played.close()


@pytest.fixture
def opened(begun: Played, tmp_path: Path) -> Iterator[Played]:
    """A contest in its anonymize phase with two teams and no entries."""
    played = begun.copied(tmp_path / "home")
    yield played
    played.close()


@pytest.fixture
def opened_both(home: ContestHome, tmp_path: Path) -> Iterator[Played]:
    """The same on both databases in turn."""
    played = Played.open(home, tmp_path)
    yield played
    played.close()


@pytest.fixture(scope="session")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("done")
    played = Played.make(prepare_home(folder / "home"), folder)
    yield played
    played.close()


@pytest.fixture
def played(done: Played, tmp_path: Path) -> Iterator[Played]:
    """A contest in its attack phase with entries in every state."""
    copy = done.copied(tmp_path / "home")
    yield copy
    copy.close()
