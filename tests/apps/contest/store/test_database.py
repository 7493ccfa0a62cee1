from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.store.database import (
    LATEST_REVISION,
    current_revision,
    lock_subject,
    open_database,
    to_aware_utc,
    to_naive_utc,
    utc_now,
)
from tokumei.apps.contest.store.tables import (
    AuditRecord,
    Base,
    EntryScore,
    LoginAttempt,
    Team,
    UserAccount,
)
from tokumei.core.errors import InputError, OutputError, UsageError

NOW = datetime(2026, 11, 16)


@pytest.fixture
def database(database_url):
    database = open_database(database_url)
    yield database
    database.close()


def test_migrations_make_exactly_the_tables(database):
    with database.read() as session:
        context = MigrationContext.configure(
            session.connection(), opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []


def test_the_newest_step_is_the_one_that_is_taken(database):
    with database.read() as session:
        assert (
            MigrationContext.configure(session.connection()).get_current_revision()
            == LATEST_REVISION
        )
        assert current_revision(session.connection()) == LATEST_REVISION


def test_opening_again_loads_no_migrations(database, database_url):
    code = (
        "import sys\nfrom tokumei.apps.contest.store.database import open_database\n"
        f"open_database({database_url!r}).close()\nassert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_opening_again_changes_nothing(database, database_url):
    with database.write() as session:
        session.add(LoginAttempt(key="a", at=NOW))
    again = open_database(database_url)
    with again.read() as session:
        assert session.scalars(select(LoginAttempt.key)).all() == ["a"]
    again.close()


def test_many_processes_may_open_at_once(database_url):
    failed = []

    def start():
        try:
            open_database(database_url).close()
        except (DBAPIError, InputError) as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_newer_database_is_refused(database, database_url):
    with database.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match="newer version"):
        open_database(database_url)


def test_an_error_undoes_the_whole_transaction(database):
    def add_and_fail():
        with database.write() as session:
            session.add(LoginAttempt(key="a", at=NOW))
            session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        add_and_fail()
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(LoginAttempt)) == 0


def test_reading_sees_one_moment_and_cannot_write(database):
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(LoginAttempt)) == 0
        with database.write() as other:
            other.add(LoginAttempt(key="a", at=NOW))
        assert session.scalar(select(func.count()).select_from(LoginAttempt)) == 0
        with pytest.raises(DBAPIError):
            session.execute(update(LoginAttempt).values(key="b"))
    with database.read() as session:
        assert session.scalars(select(LoginAttempt.key)).all() == ["a"]


def test_writers_about_one_subject_take_turns(database):
    """Each counts and then adds: without turns two would count the same."""

    def count_and_add():
        for _ in range(10):
            with database.write() as session:
                lock_subject(session, "attempts")
                count = session.scalar(select(func.count()).select_from(LoginAttempt))
                session.add(LoginAttempt(key=str(count), at=NOW))

    threads = [threading.Thread(target=count_and_add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as session:
        keys = session.scalars(select(LoginAttempt.key)).all()
    assert sorted(map(int, keys)) == list(range(40))


def test_a_full_disk_is_told_and_loses_nothing(tmp_path):
    database = open_database(f"sqlite:///{tmp_path}/store.sqlite")
    with database.write() as session:
        session.add(LoginAttempt(key="before", at=NOW))
        pages = session.scalar(text("PRAGMA page_count"))
        session.execute(text(f"PRAGMA max_page_count = {pages + 2}"))
    with pytest.raises(OutputError, match="disk is full"), database.write() as session:
        session.add_all(LoginAttempt(key="x" * 128, at=NOW) for _ in range(1000))
    with database.write() as session:
        session.execute(text("PRAGMA max_page_count = 1000000"))
        assert session.scalars(select(LoginAttempt.key)).all() == ["before"]
        session.add(LoginAttempt(key="after", at=NOW))
    database.close()


def test_the_audit_log_only_grows(database):
    with database.write() as session:
        session.add(AuditRecord(at=NOW, action="a", subject="s", details={}))
    for statement in (update(AuditRecord).values(action="b"), delete(AuditRecord)):
        with pytest.raises(DBAPIError, match="append-only"), database.write() as session:
            session.execute(statement)
    with database.read() as session:
        assert session.scalars(select(AuditRecord.action)).all() == ["a"]


def test_references_must_exist(database):
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(Team(contest_id=7, name="t", key="t", created_at=NOW))


def test_names_collide_by_their_normal_form(database):
    def person(name: str) -> UserAccount:
        return UserAccount(name=name, key=name.casefold(), password="", created_at=NOW)

    with pytest.raises(IntegrityError), database.write() as session:
        session.add_all([person("Ann"), person("ann")])


def test_the_clock_is_utc_by_the_database(database):
    with database.write() as session:
        now, later, earlier = session.execute(
            select(utc_now(), utc_now(90.5), utc_now(-90.5))
        ).one()
    assert abs(to_aware_utc(now) - datetime.now(UTC)) < timedelta(seconds=HUNG_SECONDS)
    assert timedelta(seconds=90) < later - now < timedelta(seconds=91)
    assert timedelta(seconds=90) < now - earlier < timedelta(seconds=91)


def test_the_clock_compares_with_stored_times(database):
    with database.write() as session:
        session.add(LoginAttempt(key="past", at=utc_now(-0.5)))
        session.add(LoginAttempt(key="future", at=utc_now(60)))
        session.add(
            LoginAttempt(key="given", at=to_naive_utc(datetime.now(UTC) - timedelta(hours=1)))
        )
        session.flush()
        found = session.scalars(select(LoginAttempt.key).where(LoginAttempt.at < utc_now())).all()
    assert sorted(found) == ["given", "past"]


def test_numbers_keep_every_digit(database):
    value = 0.1 + 0.2
    with database.write() as session:
        session.add(
            AuditRecord(at=NOW, action="a", subject="s", details={"x": value, "日": "本\x00"})
        )
    with database.read() as session:
        assert session.scalar(select(AuditRecord.details)) == {"x": value, "日": "本\x00"}
    assert EntryScore.__table__.c.total.type.as_generic().__class__.__name__ in ("Double", "Float")


@pytest.mark.parametrize("url", ["nonsense", "mysql://host/x", "sqlite://"])
def test_other_databases_are_refused(url):
    with pytest.raises(UsageError):
        open_database(url)


def test_an_unreachable_database_is_told_without_its_password(tmp_path):
    with pytest.raises(InputError, match="cannot be opened") as refused:
        open_database(f"postgresql://me:hunter2@/x?host={tmp_path}")
    assert "hunter2" not in str(refused.value)


def test_a_damaged_file_is_told(tmp_path):
    (tmp_path / "store.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(InputError, match="not a database"):
        open_database(f"sqlite:///{tmp_path}/store.sqlite")
