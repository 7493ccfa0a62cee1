from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from support.obedient_judge import FACTORY
from support.queued_contest import QueuedContest
from support.waiting import HUNG_SECONDS
from tokumei.contest.jobs.judge_process import Judging
from tokumei.contest.jobs.worker import Worker
from tokumei.contest.store.home import Home

LIMITS = {"seconds": int(HUNG_SECONDS), "megabytes": 1024}
"""Computing time that no judge of these tests needs, however slow the machine is."""


@pytest.fixture(scope="session")
def judging() -> Iterator[Judging]:
    """The obedient judge's process, one for all tests."""
    judging = Judging(FACTORY)
    yield judging
    judging.close()


@pytest.fixture
def worker_of(judging: Judging):
    """Workers that share the judging process."""
    made = []

    def make(home: Home, stop: threading.Event | None = None) -> Worker:
        worker = Worker(home, "w", stop=stop or threading.Event(), factory=FACTORY)
        worker._judging = judging
        made.append(worker)
        return worker

    yield make
    for worker in made:
        worker._database.close()


@pytest.fixture
def contest(home: Home) -> Iterator[QueuedContest]:
    database = home.database()
    yield QueuedContest.make(home, database, **LIMITS)
    database.close()


@pytest.fixture
def sqlite_contest(sqlite_home: Home) -> Iterator[QueuedContest]:
    database = sqlite_home.database()
    yield QueuedContest.make(sqlite_home, database, **LIMITS)
    database.close()
