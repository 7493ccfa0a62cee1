"""A backup taken while uploads come and are judged restores to one consistent moment."""

from __future__ import annotations

import json
import os
import stat
import threading
import zipfile

import pytest
from sqlalchemy import select

from apps.contest.jobs.job_fixtures import contest as contest
from apps.contest.jobs.job_fixtures import judging as judging
from apps.contest.jobs.job_fixtures import sqlite_contest as sqlite_contest
from apps.contest.jobs.job_fixtures import worker_of as worker_of
from support.queued_contest import NOW, QueuedContest
from support.waiting import join, wait_until
from tokumei.apps.cli.app import main
from tokumei.apps.contest.store.backup import dump_table, write_backup
from tokumei.apps.contest.store.restore import restore_backup
from tokumei.apps.contest.store.server_home import load_settings
from tokumei.apps.contest.store.tables import (
    AuditRecord,
    Base,
    ContestEntry,
    EntryScore,
    JudgingJob,
)
from tokumei.core.errors import InputError, UsageError


def rows(database) -> dict[str, list[bytes]]:
    with database.read() as session:
        return {
            table.name: list(dump_table(session, table)) for table in Base.metadata.sorted_tables
        }


@pytest.fixture
def judge_all(worker_of):
    def judge(contest: QueuedContest) -> None:
        worker = worker_of(contest.home)
        while worker.once():
            pass

    return judge


@pytest.fixture
def judged(contest, judge_all):
    good = contest.submit("score 0.1")
    contest.submit("refuse 2")
    judge_all(contest)
    contest.submit("score 0.3", target=good)
    judge_all(contest)
    with contest.database.write() as session:
        session.add(AuditRecord(at=NOW, action="a", subject="日本", details={}))
    contest.submit("score 0.2")
    return contest


def other_database(contest, request, tmp_path) -> str | None:
    """SQLite is restored to PostgreSQL and the other way round."""
    if contest.database.sqlite:
        return request.getfixturevalue("postgres").new_database()
    return None


def test_a_server_moves_to_another_folder_and_database(judged, judge_all, tmp_path, request):
    write_backup(judged.home, tmp_path / "b.zip")
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600
    url = other_database(judged, request, tmp_path)
    home = restore_backup(tmp_path / "b.zip", tmp_path / "new", database=url)
    database = home.database()
    assert rows(database) == rows(judged.database)
    assert home.read_cookie_key() == judged.home.read_cookie_key()
    assert stat.S_IMODE((home.path / "vault").stat().st_mode) == 0o700
    moved = QueuedContest(home, database)
    last = moved.submit("score 0.4")  # numbers go on after those restored
    judge_all(moved)
    assert [score.utility for score in moved.scores(last)] == [0.4]
    with database.read() as session:
        assert set(session.scalars(select(ContestEntry.state))) == {"scored", "rejected"}
    database.close()


@pytest.mark.long
def test_a_backup_under_load_is_one_moment(contest, judge_all, worker_of, tmp_path):
    stop, submitted = threading.Event(), []
    worker = worker_of(contest.home, stop)

    def submit() -> None:
        """There is always something to judge, and never much."""
        while not stop.is_set():
            submitted.append(contest.submit(f"score 0.{len(submitted) + 1}"))
            wait_until(lambda: stop.is_set() or len(submitted) < len(scored(contest)) + 3)

    threads = [threading.Thread(target=worker.run), threading.Thread(target=submit)]
    for thread in threads:
        thread.start()
    for number in range(2):
        wait_until(lambda least=3 * (number + 1): len(scored(contest)) >= least)
        write_backup(contest.home, tmp_path / f"{number}.zip")
    stop.set()
    for thread in threads:
        join(thread)
    judge_all(contest)
    live = {entry: [score.utility for score in contest.scores(entry)] for entry in submitted}
    for number in range(2):
        check_moment(tmp_path, number, submitted, live, judge_all)


def scored(contest: QueuedContest) -> list[str]:
    with contest.database.read() as session:
        return list(session.scalars(select(ContestEntry.id).where(ContestEntry.state == "scored")))


def check_moment(tmp_path, number, submitted, live, judge_all) -> None:
    home = restore_backup(tmp_path / f"{number}.zip", tmp_path / f"home-{number}")
    database = home.database()
    with database.read() as session:
        entries = list(session.scalars(select(ContestEntry)))
        current = set(session.scalars(select(EntryScore.entry_id).where(EntryScore.current)))
        done = set(session.scalars(select(JudgingJob.entry_id).where(JudgingJob.state == "done")))
        assert len(entries) == len(list(session.scalars(select(JudgingJob.id))))
    assert {entry.id for entry in entries} == set(submitted[: len(entries)])
    assert {entry.id for entry in entries if entry.state == "scored"} == current == done
    restored = QueuedContest(home, database)
    with database.write() as session:
        session.execute(
            JudgingJob.__table__.update()
            .where(JudgingJob.state == "running")
            .values(state="queued")
        )
    judge_all(restored)
    for entry in entries:
        assert [score.utility for score in restored.scores(entry.id)] == live[entry.id]
    database.close()


def test_a_restored_home_is_closed_to_other_users(sqlite_contest, tmp_path):
    entry = sqlite_contest.submit("score 1")
    write_backup(sqlite_contest.home, tmp_path / "b.zip")
    before = os.umask(0o022)
    try:
        home = restore_backup(tmp_path / "b.zip", tmp_path / "new")
    finally:
        os.umask(before)
    paths = [home.path, home.inbox.path(entry), *home.path.rglob("*/")]
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o027 == 0 for path in paths if path.is_file())
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o007 == 0 for path in paths)


def test_what_exists_is_never_overwritten(judged, tmp_path):
    out = tmp_path / "b.zip"
    write_backup(judged.home, out)
    with pytest.raises(UsageError, match="exists already"):
        write_backup(judged.home, out)
    with pytest.raises(UsageError, match="is not empty"):
        restore_backup(out, judged.home.path)
    if not judged.database.sqlite:
        with pytest.raises(UsageError, match="database is not empty"):
            restore_backup(out, tmp_path / "new", database=judged.home.settings.database)
        assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "member", ["tables/score.jsonl", "key", "vault/truth", "manifest.json", "../../evil"]
)
def test_a_damaged_backup_is_refused_whole(sqlite_contest, judge_all, tmp_path, member):
    good = sqlite_contest.submit("score 1")
    judge_all(sqlite_contest)
    write_backup(sqlite_contest.home, tmp_path / "b.zip")
    name = f"vault/truth/{good}" if member == "vault/truth" else member
    with (
        zipfile.ZipFile(tmp_path / "b.zip") as source,
        zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad,
    ):
        for item in source.namelist():
            data = source.read(item)
            if item == "manifest.json" and member.startswith(".."):
                manifest = json.loads(data)
                manifest["files"][member] = "0"
                data = json.dumps(manifest).encode()
            bad.writestr(item, b"x" if item == name else data)
        if member.startswith(".."):
            bad.writestr(member, b"x")
    with pytest.raises(InputError, match="not a complete backup"):
        restore_backup(tmp_path / "bad.zip", tmp_path / "new")
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "new.part").exists()


def test_a_missing_file_is_noticed_when_it_is_backed_up(sqlite_contest, judge_all, tmp_path):
    good = sqlite_contest.submit("score 1")
    judge_all(sqlite_contest)
    sqlite_contest.home.vault().truth_path(good).unlink()
    with pytest.raises(InputError, match="are missing"):
        write_backup(sqlite_contest.home, tmp_path / "b.zip")
    assert list(tmp_path.glob("b.zip*")) == []


def test_a_copy_does_not_use_the_database_it_was_taken_from(sqlite_contest, tmp_path):
    elsewhere = f"sqlite:///{tmp_path}/elsewhere/store.sqlite"
    settings = load_settings(sqlite_contest.home.path)
    assert settings.database != elsewhere
    path = sqlite_contest.home.path / "server.yaml"
    path.write_text(f"database: {settings.database}\nport: 9000\n")
    write_backup(sqlite_contest.home, tmp_path / "b.zip")
    home = restore_backup(tmp_path / "b.zip", tmp_path / "new")
    assert home.settings.port == 9000
    assert home.settings.database == f"sqlite:///{tmp_path}/new/database/store.sqlite"
    other = restore_backup(tmp_path / "b.zip", tmp_path / "other", database=elsewhere)
    assert load_settings(other.path).database == elsewhere


def test_the_command_line(sqlite_contest, tmp_path, capsys):
    home, out, new = str(sqlite_contest.home.path), str(tmp_path / "b.zip"), str(tmp_path / "new")
    sqlite_contest.submit("score 1")
    assert run(capsys, "backup", home, "--out", out)["entries"] == 1
    assert run(capsys, "restore", out, "--home", new) == {"ok": True, "home": new}


def run(capsys, *arguments: str) -> dict:
    with pytest.raises(SystemExit) as ended:
        main(["contest", *arguments, "--json"])
    assert ended.value.code == 0
    return json.loads(capsys.readouterr().out)
