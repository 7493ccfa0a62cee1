from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading

import pytest
from sqlalchemy import update

from apps.contest.jobs.worker_fixtures import all_of
from apps.contest.jobs.worker_fixtures import quick_worker as quick_worker
from apps.contest.jobs.worker_fixtures import stop as stop
from apps.contest.jobs.worker_fixtures import worker as worker
from support.obedient_judge import FACTORY
from support.waiting import HUNG_SECONDS, join, wait_until
from tokumei.apps.cli.app import main
from tokumei.apps.contest.jobs import judging_job, queue
from tokumei.apps.contest.jobs import worker as worker_module
from tokumei.apps.contest.jobs.judging_job import set_current_score
from tokumei.apps.contest.jobs.worker import _LeaseKeeper, run_worker
from tokumei.apps.contest.judge.guess_sketches import blind_sketch
from tokumei.apps.contest.services.administration import requeue_failed
from tokumei.apps.contest.store.database import utc_now
from tokumei.apps.contest.store.file_store import FileStore
from tokumei.apps.contest.store.judge_snapshots import create_snapshot
from tokumei.apps.contest.store.tables import ContestEntry, JudgingJob
from tokumei.core.errors import OutputError, UsageError
from tokumei.core.messages import Message


def test_a_whole_contest_is_judged(contest, worker):
    good, bad = contest.submit("score 0.25"), contest.submit("refuse 3")
    all_of(worker)
    attack = contest.submit("score 0.125", target=good)
    wrong = contest.submit("refuse 1", target=good)
    all_of(worker)

    entry = contest.entry(good)
    [score] = contest.scores(good)
    assert (entry.state, score.utility, score.safety, score.total) == ("scored", 0.25, 0.5, 0.375)
    assert score.current
    assert score.figures == {"utility": {"u": 0.25, "odd": None}}
    assert contest.home.files.read(entry.public_sha256) == b"Sscore 0.25"
    vault = contest.home.vault()
    assert vault.truth_path(good).read_bytes() == b"Fscore 0.25"
    salt = bytes.fromhex(vault.salts(good)["truth"])
    assert entry.truth_commitment == hashlib.sha256(salt + b"Fscore 0.25").hexdigest()

    entry = contest.entry(bad)
    assert (entry.state, entry.fault_total, len(entry.faults)) == ("rejected", 3, 2)
    assert contest.scores(bad) == []

    [score] = contest.scores(attack)
    assert (score.utility, score.safety, score.total) == (None, 0.125, None)
    assert contest.entry(wrong).state == "rejected"
    assert contest.entry(attack).public_sha256 is None
    told = blind_sketch([b"score 0.125".hex()], vault.sketch_key())
    assert (contest.entry(attack).sketch, contest.entry(good).sketch) == (told, None)
    assert contest.home.inbox.waiting() == []
    for entry_id in (good, bad, attack, wrong):
        job = contest.job(entry_id)
        assert (job.state, job.attempts, job.progress) == ("done", 0, 1.0)
    assert contest.steps(good) == ["running", "scored"]


def test_re_judging_changes_nothing_until_it_is_applied(contest, worker):
    good, attack_on = contest.submit("score 0.25"), None
    all_of(worker)
    attack_on = contest.submit("score 0.125", target=good)
    all_of(worker)
    (contest.home.contests / "small" / "version").write_text("2")
    with contest.database.write() as session:
        for entry in (good, attack_on):
            queue.enqueue(session, kind="rejudge", entry_id=entry, run="r1", dry=True)
            queue.enqueue(session, kind="recheck", entry_id=entry, run="r2", dry=True)
    all_of(worker)
    result = contest.job(good, "r1").result
    assert (result["judge_version"], result["utility"]) == ("2", 0.25)
    assert contest.job(attack_on, "r1").result["safety"] == 0.125
    assert contest.job(attack_on, "r2").result["accepted"]
    assert [score.judge_version for score in contest.scores(good)] == ["1"]
    with contest.database.write() as session:
        set_current_score(session, good, result | {"utility": 0.75})
    assert [(score.utility, score.current) for score in contest.scores(good)] == [
        (0.25, False),
        (0.75, True),
    ]
    with contest.database.write() as session:
        set_current_score(session, good, result | {"judge_version": "1"})
    assert [score.current for score in contest.scores(good)] == [True, False]
    assert contest.steps(good) == ["running", "scored"]


def test_uploads_are_judged_by_the_judge_in_force_whatever_the_folder_says(contest, worker):
    folder = contest.home.contests / "small"
    (folder / "version").write_text("1")
    create_snapshot(contest.home.contests, "small", "1")
    first = contest.submit("score 0.25")
    all_of(worker)
    (folder / "version").write_text("2")
    second = contest.submit("score 0.25")
    all_of(worker)
    versions = {contest.scores(entry)[0].judge_version for entry in (first, second)}
    assert versions == {"1"}


def test_a_job_that_was_given_up_can_be_tried_again(sqlite_contest, quick_worker):
    entry = sqlite_contest.submit("score 1")
    with sqlite_contest.database.write() as session:
        session.execute(update(JudgingJob).values(token=queue.MOST_LEASES))
    all_of(quick_worker)
    with sqlite_contest.database.write() as session:
        assert requeue_failed(session, 1) == 1
    all_of(quick_worker)
    assert sqlite_contest.entry(entry).state == "scored"


@pytest.mark.parametrize(
    ("content", "attempts", "reason"),
    [
        ("raise", 3, "the judge itself failed"),
        ("crash", 3, "the judge itself failed"),
        ("loop", 1, "more than 300 s of computing time"),
        ("allocate", 1, "more than 1024 MB of memory"),
        ("flood", 1, "wrote too much"),
    ],
)
def test_faults_of_the_system_fail_in_the_end(
    sqlite_contest, quick_worker, content, attempts, reason
):
    entry, other = sqlite_contest.submit(content), sqlite_contest.submit("score 1")
    all_of(quick_worker)
    found, job = sqlite_contest.entry(entry), sqlite_contest.job(entry)
    assert (found.state, job.state, job.attempts) == ("failed", "failed", attempts)
    assert reason in found.reason["en"]
    assert found.reason["ja"]
    assert "secret" not in job.error
    assert sqlite_contest.scores(entry) == []
    assert sqlite_contest.entry(other).state == "scored"


def test_a_missing_upload_fails_plainly(sqlite_contest, quick_worker):
    entry = sqlite_contest.submit("score 1")
    sqlite_contest.home.inbox.discard(entry)
    all_of(quick_worker)
    assert sqlite_contest.entry(entry).state == "failed"
    assert "missing" in sqlite_contest.entry(entry).reason["en"]


def test_a_job_that_workers_die_of_is_given_up(sqlite_contest, quick_worker):
    entry = sqlite_contest.submit("score 1")
    with sqlite_contest.database.write() as session:
        session.execute(update(JudgingJob).values(token=queue.MOST_LEASES))
    all_of(quick_worker)
    assert sqlite_contest.entry(entry).state == "failed"
    assert "the worker died each time" in sqlite_contest.entry(entry).reason["en"]


def test_a_withdrawn_entry_stays_withdrawn(sqlite_contest, quick_worker):
    entry = sqlite_contest.submit("score 1")
    with sqlite_contest.database.write() as session:
        session.execute(update(ContestEntry).values(state="withdrawn"))
    all_of(quick_worker)
    assert sqlite_contest.entry(entry).state == "withdrawn"
    assert sqlite_contest.job(entry).state == "done"


def test_a_full_disk_gives_the_job_back(sqlite_contest, quick_worker, monkeypatch):
    entry = sqlite_contest.submit("score 1")

    def full(*given):
        raise OutputError(Message.of_texts({"en": "full", "ja": "満杯"}))

    with monkeypatch.context() as patched:
        patched.setattr(judging_job, "_store_release_files", full)
        assert quick_worker.once()
    with monkeypatch.context() as patched:
        patched.setattr(FileStore, "put", full)
        sqlite_contest.home.vault().uploads.path(sqlite_contest.entry(entry).sha256).unlink()
        sqlite_contest.home.inbox.path(entry).write_bytes(b"score 1")
        assert quick_worker.once()
    job = sqlite_contest.job(entry)
    assert (job.state, job.attempts, sqlite_contest.entry(entry).state) == ("queued", 0, "queued")
    with monkeypatch.context() as patched:
        patched.setattr(worker_module, "LEAST_FREE", 1 << 60)
        assert not worker_module.has_disk_space(sqlite_contest.home)
    all_of(quick_worker)
    assert sqlite_contest.entry(entry).state == "scored"


def test_a_stopped_worker_gives_its_job_back(sqlite_contest, quick_worker, stop):
    entry = sqlite_contest.submit("halfway")
    working = threading.Thread(target=quick_worker.run)
    working.start()
    wait_until(lambda: sqlite_contest.job(entry).state == "running")
    stop.set()
    join(working)
    job = sqlite_contest.job(entry)
    assert (job.state, job.owner, job.attempts) == ("queued", None, 0)
    assert sqlite_contest.steps(entry) == ["running", "queued"]


def test_a_worker_that_lost_its_job_writes_nothing(contest, worker):
    entry = contest.submit("score 1")
    with contest.database.write() as session:
        late = queue.lease_next_job(session, owner="late", seconds=60)
        session.execute(update(JudgingJob).values(lease_until=utc_now(-1)))
    hold = _LeaseKeeper(contest.database, late, 0.0, threading.Event())
    all_of(worker)
    assert not hold.tick(0.5)
    assert hold.lost
    assert [score.utility for score in contest.scores(entry)] == [1.0]
    assert contest.job(entry).token == 2


def test_watching_puts_back_and_empties_the_inbox(contest):
    entry, rejected = contest.submit("score 1"), contest.submit("refuse 1")
    unknown, old = "u" * 20, "v" * 20
    for name in (unknown, old):
        contest.home.inbox.path(name).write_bytes(b"x")
    os.utime(contest.home.inbox.path(old), (0, 0))
    exports = [contest.home.path / "scratch" / f"export-{n}.zip" for n in range(2)]
    for export in exports:
        export.write_bytes(b"x")
    os.utime(exports[0], (0, 0))
    with contest.database.write() as session:
        queue.lease_next_job(session, owner="dead", seconds=60)
        session.execute(
            update(JudgingJob).where(JudgingJob.owner == "dead").values(lease_until=utc_now(-1))
        )
        session.execute(
            update(ContestEntry).where(ContestEntry.id == entry).values(state="running")
        )
        session.execute(
            update(ContestEntry).where(ContestEntry.id == rejected).values(state="rejected")
        )
    worker_module.run_housekeeping(contest.home, contest.database)
    assert contest.home.inbox.waiting() == [unknown]
    assert [export.exists() for export in exports] == [False, True]
    assert contest.home.vault().uploads.read(contest.entry(rejected).sha256) == b"refuse 1"
    assert contest.entry(entry).state == "queued"
    assert contest.entry(entry).reason == {
        "en": "the worker was interrupted",
        "ja": "ワーカーが中断されました",
    }


@pytest.fixture
def signals_and_niceness_stay(monkeypatch):
    """run_worker changes both for its process, which is the tests' here."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    monkeypatch.setattr(os, "nice", lambda more: 0)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals_and_niceness_stay")
def test_two_workers_cannot_have_one_name(sqlite_contest):
    script = (
        "import sys; from pathlib import Path; from tokumei.apps.contest.jobs.worker import "
        "run_worker;"
        "sys.exit(run_worker(Path(sys.argv[1]), 'same', factory=sys.argv[2]))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    first = subprocess.Popen(
        [sys.executable, "-c", script, str(sqlite_contest.home.path), FACTORY], env=environment
    )
    try:
        entry = sqlite_contest.submit("score 1")
        wait_until(lambda: sqlite_contest.entry(entry).state == "scored")
        with pytest.raises(UsageError, match="already running"):
            run_worker(sqlite_contest.home.path, "same", factory=FACTORY)
        first.send_signal(signal.SIGTERM)
        assert first.wait(HUNG_SECONDS) == 0
    finally:
        first.kill()
        first.wait()


def test_a_worker_needs_a_servers_folder(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["contest", "worker", str(tmp_path)])
    assert ended.value.code == 2
    assert "not a contest server's folder" in capsys.readouterr().err
