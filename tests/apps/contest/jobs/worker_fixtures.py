"""What the tests split from test_worker share."""

from __future__ import annotations

import threading

import pytest


@pytest.fixture
def stop():
    return threading.Event()


@pytest.fixture
def worker(contest, worker_of):
    return worker_of(contest.home)


@pytest.fixture
def quick_worker(sqlite_contest, worker_of, stop):
    return worker_of(sqlite_contest.home, stop)


def all_of(worker) -> None:
    while worker.once():
        pass
