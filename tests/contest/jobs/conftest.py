from __future__ import annotations

from collections.abc import Iterator

import pytest

from queued_contest import QueuedContest
from tokumei.contest.store.home import Home


@pytest.fixture
def contest(home: Home) -> Iterator[QueuedContest]:
    database = home.database()
    yield QueuedContest.make(home, database, seconds=20, megabytes=1024)
    database.close()


@pytest.fixture
def sqlite_contest(sqlite_home: Home) -> Iterator[QueuedContest]:
    database = sqlite_home.database()
    yield QueuedContest.make(sqlite_home, database, seconds=1, megabytes=1024)
    database.close()
