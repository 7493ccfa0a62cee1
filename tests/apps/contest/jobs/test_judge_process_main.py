"""Tests of tokumei.apps.contest.jobs.judge_process_main."""

import os
import warnings

from tokumei.apps.contest.jobs import judge_process_main


def test_a_fork_of_the_judge_does_not_warn(monkeypatch):
    """Python 3.12 warns of threads that libraries have started and never used."""

    def fork():
        words = f"This process (pid={os.getpid()}) is multi-threaded, use of fork() may lead to"
        warnings.warn(f"{words} deadlocks in the child.", DeprecationWarning, stacklevel=2)
        return 1

    monkeypatch.setattr(os, "fork", fork)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert judge_process_main._fork_quietly() == 1
