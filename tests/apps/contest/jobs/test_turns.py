"""Teams take turns: a flood of one does not hold up the others."""

from __future__ import annotations

import threading

from support.waiting import HUNG_SECONDS, join, wait_until
from tokumei.apps.contest.jobs.upload_checker import MOST_SECONDS_PER_GROUP, FairPool


def test_a_team_that_waits_comes_before_the_rest_of_a_flood():
    turns, served = FairPool(["process"]), []
    held = turns.take("first", seconds=1)

    def ask(team: str) -> None:
        thing = turns.take(team, seconds=HUNG_SECONDS)
        served.append(team)
        turns.give(thing, team)

    threads = []
    for team in ("flood", "flood", "flood", "flood", "quiet"):
        threads.append(threading.Thread(target=ask, args=(team,)))
        threads[-1].start()
        wait_until(lambda: len(turns._waiting) == len(threads))
    turns.give(held, "first")
    for thread in threads:
        join(thread)
    assert served == ["flood", "quiet", "flood", "flood", "flood"]


def test_who_holds_less_comes_first():
    turns = FairPool([1, 2])
    turns.take("flood", seconds=1)
    second = turns.take("other", seconds=1)
    found = []

    def ask(team: str) -> None:
        found.append((team, turns.take(team, seconds=HUNG_SECONDS)))

    threads = [threading.Thread(target=ask, args=(team,)) for team in ("flood", "quiet")]
    for number, thread in enumerate(threads, start=1):
        thread.start()
        wait_until(lambda number=number: len(turns._waiting) == number)
    turns.give(second, "other")
    join(threads[1])
    assert found == [("quiet", second)]
    turns.give(second, "quiet")
    join(threads[0])


def test_nobody_waits_longer_than_asked():
    turns = FairPool([1])
    turns.take("a", seconds=1)
    assert turns.take("b", seconds=0.05) is None
    assert not turns._waiting


def test_a_team_that_used_much_time_lately_is_told_no_at_once(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("tokumei.apps.contest.jobs.upload_checker.time.monotonic", lambda: clock[0])
    turns = FairPool([1])
    turns.give(turns.take("slow", seconds=1), "slow", spent=MOST_SECONDS_PER_GROUP)
    assert turns.take("slow", seconds=1) is None
    assert turns.take("other", seconds=1) == 1
    turns.give(1, "other")
    clock[0] = 61.0
    assert turns.take("slow", seconds=1) == 1
