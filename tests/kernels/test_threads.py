"""Ctrl-C ends long searches soon, also those that run in threads."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import CancelledError

import pytest

from support.recoding_problems import wide_problem
from support.waiting import HUNG_SECONDS
from tokumei.kernels import local_recoding
from tokumei.kernels.threads import interruptible_ranges, worker_pool
from tokumei.tables.anonymizers.recoding.local_search import recode_locally

ROUNDS = 10_000


def test_stretches_cover_everything_once():
    assert list(interruptible_ranges(10, 4)) == [(0, 4), (4, 8), (8, 10)]
    assert list(interruptible_ranges(0, 4)) == []


def test_what_runs_and_what_waits_is_given_up_when_the_block_fails():
    begun, ended = threading.Event(), threading.Event()

    def work():
        begun.set()
        try:
            for _ in interruptible_ranges(10**9, 1):
                time.sleep(0.001)
        finally:
            ended.set()

    jobs = []

    def begin_and_fail():
        with worker_pool(1) as pool:
            jobs.extend(pool.submit(work) for _ in range(2))
            begun.wait(HUNG_SECONDS)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin_and_fail()
    running, waiting = jobs
    assert ended.is_set()
    assert waiting.cancelled()
    with pytest.raises(CancelledError):
        running.result()


def test_an_interrupt_ends_annealing_before_its_rounds_are_done(monkeypatch):
    problem = wide_problem(1, columns=8, rows=3000)
    begun, rounds = [], []

    def interrupted(total, step):
        for begin, end in interruptible_ranges(total, step):
            begun.append((begin, end))
            if len(begun) == 2:
                os.kill(os.getpid(), signal.SIGINT)
            yield begin, end

    monkeypatch.setattr(local_recoding, "interruptible_ranges", interrupted)
    with pytest.raises(KeyboardInterrupt):
        recode_locally(problem, 5, effort=ROUNDS, progress=rounds.append)
    assert len(begun) >= 2
    assert len(rounds) < ROUNDS / 2
