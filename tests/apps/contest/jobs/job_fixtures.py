from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from support.obedient_judge import FACTORY
from support.queued_contest import QueuedContest
from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.jobs.judge_process import JudgeProcess
from tokumei.apps.contest.jobs.worker import Worker
from tokumei.apps.contest.store.server_home import ContestHome

LIMITS = {"seconds": int(HUNG_SECONDS), "megabytes": 1024}
"""Computing time that no judge of these tests needs, however slow the machine is."""


@pytest.fixture(scope="session")
def judging() -> Iterator[JudgeProcess]:
    """The obedient judge's process, one for all tests."""
    judging = JudgeProcess(FACTORY)
    yield judging
    judging.close()


@pytest.fixture
def worker_of(judging: JudgeProcess):
    """Workers that share the judging process."""
    made = []

    def make(home: ContestHome, stop: threading.Event | None = None) -> Worker:
        worker = Worker(home, "w", stop=stop or threading.Event(), factory=FACTORY)
        worker._judge_process = judging
        made.append(worker)
        return worker

    yield make
    for worker in made:
        worker._database.close()


@pytest.fixture
def contest(home: ContestHome) -> Iterator[QueuedContest]:
    database = home.database()
    yield QueuedContest.make(home, database, **LIMITS)
    database.close()


@pytest.fixture
def sqlite_contest(sqlite_home: ContestHome) -> Iterator[QueuedContest]:
    database = sqlite_home.database()
    yield QueuedContest.make(sqlite_home, database, **LIMITS)
    database.close()
