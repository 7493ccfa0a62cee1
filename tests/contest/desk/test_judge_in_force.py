"""A changed file never changes a board silently; failed uploads and withdrawals are no dead end."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from contest.played import SLUG, Played
from tokumei.contest.desk.board import leaderboard
from tokumei.contest.desk.console import restore_entry, retry_job, withdraw
from tokumei.contest.desk.contests import contest_of, data_file
from tokumei.contest.desk.entries import entry_of
from tokumei.contest.desk.place import VISITOR
from tokumei.contest.desk.rejudging import apply_run, rejudge
from tokumei.contest.desk.watch import judge_state, put_files_back, queue, use_files
from tokumei.contest.jobs.causes import noted
from tokumei.contest.jobs.judgement import move
from tokumei.contest.store.tables import Contest, Job
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotFound


@pytest.fixture
def organised(opened: Played) -> Played:
    """A contest whose judge in force is what its folder amounts to."""
    use_files(opened.place, opened.viewers["organiser"], SLUG)
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
    before = judge_state(place, organiser, SLUG)
    assert (before.differs, before.changed, before.problem) == (False, (), None)
    (folder_of(organised) / "T.csv").write_text("1,2018/1/1,b\n")
    now = judge_state(place, organiser, SLUG)
    assert (now.differs, now.changed) == (True, ("T.csv",))
    assert now.in_force == before.in_force == contest_of(place, VISITOR, SLUG).judge_version
    told = data_file(place, organised.viewers["ant"], SLUG, "original").path.read_text()
    assert told == "1,2018/1/1,a\n"
    after = put_files_back(place, organiser, SLUG)
    assert (after.differs, after.changed) == (False, ())
    assert (folder_of(organised) / "T.csv").read_text() == "1,2018/1/1,a\n"


def test_a_broken_file_is_told_with_its_key_and_without_the_servers_path(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    edit(organised, "megabytes: 1", "megabyte: 1")
    found = judge_state(place, organiser, SLUG)
    assert found.problem is not None
    assert "quotas.megabyte: no such key" in found.problem.en
    assert str(place.home.path) not in found.problem.en + found.problem.ja
    assert found.problem.ja != found.problem.en


def test_once_uploads_are_judged_only_judging_again_changes_the_judge(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    organised.scored("ant", b"first")
    edit(organised, "title", "# corrected\ntitle")
    with pytest.raises(Conflict):
        use_files(place, organiser, SLUG)


def test_files_that_change_during_a_run_are_not_applied(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    entry = organised.scored("ant", b"first")
    run = rejudge(place, organiser, SLUG).run
    (folder_of(organised) / "T.csv").write_text("1,2018/1/1,b\n")
    answer = {"accepted": True, "judge_version": "j", "utility": 0.1, "safety": 0.1, "total": 0.1}
    organised.rejudged(run, {entry: answer | {"unsafe": False, "figures": {}}})
    with pytest.raises(Conflict, match="have changed since this run began"):
        apply_run(place, organiser, SLUG, run)
    put_files_back(place, organiser, SLUG)
    assert apply_run(place, organiser, SLUG, run).applied


def failed(played: Played) -> tuple[str, int]:
    """An upload whose judgement failed, and the job."""
    entry = played.submit("ant", b"unlucky").id
    cause = Text("limits.seconds in contest.yaml", "contest.yaml の limits.seconds")
    with played.place.write() as session:
        session.execute(
            update(Job).where(Job.entry_id == entry).values(state="failed", error=noted(cause))
        )
        move(session, entry, "failed")
    (job,) = queue(played.place, played.viewers["organiser"], SLUG).failed
    assert job.error == cause
    return entry, job.id


def test_a_failed_upload_is_retried_from_the_queue(organised: Played) -> None:
    place, organiser, ant = organised.place, organised.viewers["organiser"], organised.viewers
    entry, job = failed(organised)
    retry_job(place, organiser, SLUG, job)
    assert entry_of(place, ant["ant"], SLUG, entry).state == "queued"
    found = queue(place, organiser, SLUG)
    assert ([one.entry for one in found.jobs], found.failed) == ([entry], ())
    for number, refusal in ((job, Conflict), (10**6, NotFound)):
        with pytest.raises(refusal):
            retry_job(place, organiser, SLUG, number)


def test_judging_again_takes_failed_uploads_along(organised: Played) -> None:
    place, organiser, viewers = organised.place, organised.viewers["organiser"], organised.viewers
    entry, _ = failed(organised)
    run = rejudge(place, organiser, SLUG).run
    answer = {"accepted": True, "judge_version": "j", "utility": 0.1, "safety": 0.1, "total": 0.1}
    organised.rejudged(run, {entry: answer | {"unsafe": False, "figures": {}}})
    apply_run(place, organiser, SLUG, run)
    assert entry_of(place, viewers["ant"], SLUG, entry).state == "queued"
    organised.judge(entry)
    assert leaderboard(place, VISITOR, SLUG).rows[0].total is not None


def test_a_withdrawal_can_be_undone(organised: Played) -> None:
    place, organiser = organised.place, organised.viewers["organiser"]
    scored, waiting = organised.scored("ant", b"first"), organised.submit("bee", b"second").id
    for entry, state in ((scored, "scored"), (waiting, "queued")):
        withdraw(place, organiser, SLUG, entry, "a mistake")
        assert restore_entry(place, organiser, SLUG, entry, "sorry").state == state
        with pytest.raises(Conflict):
            restore_entry(place, organiser, SLUG, entry, "again")
    assert [job.entry for job in queue(place, organiser, SLUG).jobs] == [waiting]
    assert leaderboard(place, VISITOR, SLUG).rows[0].total is not None
