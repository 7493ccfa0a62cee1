"""Tests of tokumei.apps.contest.services.monitoring."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from apps.contest.played import SLUG, Played
from tokumei.apps.contest.jobs.failure_reasons import serialize_reason
from tokumei.apps.contest.jobs.judging_job import change_entry_state
from tokumei.apps.contest.services.administration import restore_entry, retry_job, withdraw_entry
from tokumei.apps.contest.services.contests import get_contest_view, get_data_file
from tokumei.apps.contest.services.context import VISITOR
from tokumei.apps.contest.services.entries import get_entry_view
from tokumei.apps.contest.services.leaderboard import build_leaderboard
from tokumei.apps.contest.services.monitoring import (
    adopt_contest_files,
    read_audit_log,
    read_judge_state,
    read_queue,
    restore_contest_files,
)
from tokumei.apps.contest.services.rejudging import apply_run, start_rejudging
from tokumei.apps.contest.store.tables import Contest, JudgingJob
from tokumei.apps.http.errors import Conflict, NotFound
from tokumei.core.messages import Message


def test_the_audit_log_is_read_page_by_page(played: Played) -> None:
    organiser = played.viewers["organiser"]
    seen: list[int] = []
    before = None
    while True:
        page = read_audit_log(played.place, organiser, SLUG, before=before, rows=7)
        seen += [row.id for row in page.rows]
        before = page.before
        if before is None:
            break
    assert seen == sorted(seen, reverse=True)
    assert seen == [row.id for row in read_audit_log(played.place, organiser, SLUG, rows=1000).rows]


def test_the_audit_log_names_uploads_by_team_and_file(played: Played) -> None:
    rows = read_audit_log(played.place, played.viewers["organiser"], SLUG, rows=1000).rows
    about = {row.subject: row.about for row in rows if row.action.startswith("entry.")}
    assert about[played.entries["queued"]] == "Ants · secret queued"
    assert about[played.entries["target"]] == "Bees · A.csv"
    assert set(played.entries.values()) <= set(about)


@pytest.fixture
def organised(opened: Played) -> Played:
    """A contest whose judge in force is what its folder amounts to."""
    adopt_contest_files(opened.place, opened.viewers["organiser"], SLUG)
    return opened


def folder_of(played: Played):
    with played.place.read() as session:
        return played.place.home.contests / session.get_one(Contest, 1).folder


def edit(played: Played, old: str, new: str) -> None:
    path = folder_of(played) / "contest.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_changed_file_is_announced_and_not_used(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    before = read_judge_state(place, organiser, SLUG)
    assert (before.differs, before.changed, before.problem) == (False, (), None)
    (folder_of(organised) / "T.csv").write_text("1,2018/1/1,b\n")
    now = read_judge_state(place, organiser, SLUG)
    assert (now.differs, now.changed) == (True, ("T.csv",))
    assert now.in_force == before.in_force == get_contest_view(place, VISITOR, SLUG).judge_version
    told = get_data_file(place, organised.viewers["ant"], SLUG, "original").path.read_text()
    assert told == "1,2018/1/1,a\n"
    after = restore_contest_files(place, organiser, SLUG)
    assert (after.differs, after.changed) == (False, ())
    assert (folder_of(organised) / "T.csv").read_text() == "1,2018/1/1,a\n"


def test_a_broken_file_is_told_with_its_key_and_without_the_servers_path(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    edit(organised, "megabytes: 1", "megabyte: 1")
    found = read_judge_state(place, organiser, SLUG)
    assert found.problem is not None
    assert "quotas.megabyte: no such key" in found.problem.show("en")
    assert str(place.home.path) not in found.problem.show("en") + found.problem.show("ja")
    assert found.problem.show("ja") != found.problem.show("en")


def test_once_uploads_are_judged_only_judging_again_changes_the_judge(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    organised.scored("ant", b"first")
    edit(organised, "title", "# corrected\ntitle")
    with pytest.raises(Conflict):
        adopt_contest_files(place, organiser, SLUG)


def test_files_that_change_during_a_run_are_not_applied(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    entry = organised.scored("ant", b"first")
    run = start_rejudging(place, organiser, SLUG).run
    (folder_of(organised) / "T.csv").write_text("1,2018/1/1,b\n")
    answer = {"accepted": True, "judge_version": "j", "utility": 0.1, "safety": 0.1, "total": 0.1}
    organised.rejudged(run, {entry: answer | {"unsafe": False, "figures": {}}})
    with pytest.raises(Conflict, match="have changed since this run began"):
        apply_run(place, organiser, SLUG, run)
    restore_contest_files(place, organiser, SLUG)
    assert apply_run(place, organiser, SLUG, run).applied


def failed(played: Played) -> tuple[str, int]:
    """An upload whose judgement failed, and the job."""
    entry = played.submit("ant", b"unlucky").id
    cause = Message.of_texts(
        {"en": "limits.seconds in contest.yaml", "ja": "contest.yaml の limits.seconds"}
    )
    with played.place.write() as session:
        session.execute(
            update(JudgingJob)
            .where(JudgingJob.entry_id == entry)
            .values(state="failed", error=serialize_reason(cause))
        )
        change_entry_state(session, entry, "failed")
    (job,) = read_queue(played.place, played.viewers["organiser"], SLUG).failed
    assert job.error == cause
    return entry, job.id


def test_a_failed_upload_is_retried_from_the_queue(organised: Played) -> None:
    place, organiser, ant = organised.place, organised.viewers["organiser"], organised.viewers
    entry, job = failed(organised)
    retry_job(place, organiser, SLUG, job)
    assert get_entry_view(place, ant["ant"], SLUG, entry).state == "queued"
    found = read_queue(place, organiser, SLUG)
    assert ([one.entry for one in found.jobs], found.failed) == ([entry], ())
    for number, refusal in ((job, Conflict), (10**6, NotFound)):
        with pytest.raises(refusal):
            retry_job(place, organiser, SLUG, number)


def test_judging_again_takes_failed_uploads_along(organised: Played) -> None:
    place, organiser, viewers = organised.place, organised.viewers["organiser"], organised.viewers
    entry, _ = failed(organised)
    run = start_rejudging(place, organiser, SLUG).run
    answer = {"accepted": True, "judge_version": "j", "utility": 0.1, "safety": 0.1, "total": 0.1}
    organised.rejudged(run, {entry: answer | {"unsafe": False, "figures": {}}})
    apply_run(place, organiser, SLUG, run)
    assert get_entry_view(place, viewers["ant"], SLUG, entry).state == "queued"
    organised.judge(entry)
    assert build_leaderboard(place, VISITOR, SLUG).rows[0].total is not None


def test_a_withdrawal_can_be_undone(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    scored, waiting = organised.scored("ant", b"first"), organised.submit("bee", b"second").id
    for entry, state in ((scored, "scored"), (waiting, "queued")):
        withdraw_entry(place, organiser, SLUG, entry, "a mistake")
        assert restore_entry(place, organiser, SLUG, entry, "sorry").state == state
        with pytest.raises(Conflict):
            restore_entry(place, organiser, SLUG, entry, "again")
    assert [job.entry for job in read_queue(place, organiser, SLUG).jobs] == [waiting]
    assert build_leaderboard(place, VISITOR, SLUG).rows[0].total is not None
