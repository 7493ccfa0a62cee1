"""Ctrl-C ends long searches soon, also those that run in threads."""

from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import CancelledError

import pytest

from support.recoding_problems import wide_problem
from tokumei.kernels.workers import stretches, workers
from tokumei.tables.anonymizers.recoding.local import recode_locally

SOON = 3.0
"""Seconds, on a busy machine."""


def test_stretches_cover_everything_once():
    assert list(stretches(10, 4)) == [(0, 4), (4, 8), (8, 10)]
    assert list(stretches(0, 4)) == []


def test_what_runs_and_what_waits_is_given_up_when_the_block_fails():
    begun, ended = threading.Event(), []

    def work():
        begun.set()
        try:
            for _ in stretches(10**9, 1):
                time.sleep(0.001)
        finally:
            ended.append(time.monotonic())

    jobs = []

    def begin_and_fail():
        with workers(1) as pool:
            jobs.extend(pool.submit(work) for _ in range(2))
            begun.wait()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin_and_fail()
    running, waiting = jobs
    assert len(ended) == 1
    assert waiting.cancelled()
    with pytest.raises(CancelledError):
        running.result()


def test_an_interrupt_ends_annealing_soon():
    problem = wide_problem(1, columns=8, rows=3000)
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        recode_locally(problem, 5, effort=10_000)
    assert time.monotonic() - sent[0] < SOON
