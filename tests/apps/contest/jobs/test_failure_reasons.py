"""Tests of tokumei.apps.contest.jobs.failure_reasons."""

from __future__ import annotations

from apps.contest.jobs.worker_fixtures import all_of
from apps.contest.jobs.worker_fixtures import quick_worker as quick_worker
from apps.contest.jobs.worker_fixtures import stop as stop
from apps.contest.jobs.worker_fixtures import worker as worker
from tokumei.apps.contest.jobs.failure_reasons import parse_reason
from tokumei.apps.contest.services.administration import requeue_failed


def test_another_judge_than_the_one_in_force_scores_nothing(sqlite_contest, quick_worker):
    (sqlite_contest.home.contests / "small" / "version").write_text("2")
    entry = sqlite_contest.submit("score 1")
    all_of(quick_worker)
    assert (sqlite_contest.entry(entry).state, sqlite_contest.scores(entry)) == ("failed", [])
    cause = parse_reason(sqlite_contest.job(entry).error)
    assert "the judge in force is 1" in cause.show("en")
    assert "有効な審判は 1" in cause.show("ja")
    (sqlite_contest.home.contests / "small" / "version").unlink()
    with sqlite_contest.database.write() as session:
        assert requeue_failed(session, 1) == 1
    all_of(quick_worker)
    assert sqlite_contest.entry(entry).state == "scored"


def test_files_of_the_contest_that_cannot_be_used_are_told_at_once(sqlite_contest, quick_worker):
    (sqlite_contest.home.contests / "small" / "broken").write_text("")
    entry = sqlite_contest.submit("score 1")
    all_of(quick_worker)
    job = sqlite_contest.job(entry)
    assert (sqlite_contest.entry(entry).state, job.attempts) == ("failed", 1)
    assert parse_reason(job.error).texts() == {
        "en": "the contest's files cannot be used: this contest is broken",
        "ja": "コンテストのファイルが使えません: 壊れたコンテスト",
    }
