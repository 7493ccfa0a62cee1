"""The database of a server: SQLite or PostgreSQL, the same tables, the same behaviour.

    database = open_database("sqlite:////srv/contest/database/store.sqlite")
    with database.write() as session: ...        # one transaction, committed at the end
    with database.read() as session: ...         # one moment's view; writing is refused

SQLite takes one writer at a time, from the first statement on (BEGIN IMMEDIATE), so what a writer
reads cannot change under it. On PostgreSQL `lock` gives the same for one subject.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import Session

from tokumei.contest.store.migrate import migrate
from tokumei.core.errors import InputError, OutputError, UsageError

BUSY_SECONDS = 30
_WRITES = "tokumei_writes"
_SQLITE_FULL, _DISK_FULL = "disk is full", "53100"


@dataclass(frozen=True)
class Database:
    """An open database."""

    engine: Engine

    @property
    def sqlite(self) -> bool:
        """Whether it is a file."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that may write: committed at the end, undone by any error."""
        engine = self.engine.execution_options(**{_WRITES: True})
        with (
            _told_when_full(),
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A view of one moment; a page never mixes two."""
        options: dict[str, Any] = {_WRITES: False}
        if not self.sqlite:
            options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with Session(self.engine.execution_options(**options), expire_on_commit=False) as session:
            yield session

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Open a database, make or bring up to date its tables."""
    database = Database(_engine(url))
    try:
        if database.sqlite:
            _use_wal(database.engine)
        with database.write() as session:
            lock(session, "migrate")
            migrate(session.connection())
    except DBAPIError as error:
        database.close()
        raise _unreachable(database.engine, error) from None
    return database


def lock(session: Session, subject: str) -> None:
    """Let no other writer about the same subject go on until this transaction ends."""
    if session.connection().dialect.name == "postgresql":
        number = zlib.crc32(subject.encode())
        session.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


@contextmanager
def _told_when_full() -> Iterator[None]:
    """A full disk is no bug: whoever writes is told, and nothing of it is kept."""
    try:
        yield
    except DBAPIError as error:
        if _SQLITE_FULL in str(error.orig) or getattr(error.orig, "sqlstate", "") == _DISK_FULL:
            raise OutputError(
                "nothing was saved: the server's disk is full",
                "保存できません: サーバーのディスクに空きがありません",
            ) from None
        raise


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError(
            f"not a database URL: {url}", f"データベースの URL ではありません: {url}"
        ) from None
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() == "sqlite":
        return _sqlite_engine(parsed.render_as_string(hide_password=False))
    if parsed.get_backend_name() == "postgresql":
        return create_engine(parsed, pool_pre_ping=True, pool_size=10, max_overflow=20)
    raise UsageError(
        f"the database must be sqlite or postgresql, not {parsed.get_backend_name()}",
        f"データベースは sqlite か postgresql です ({parsed.get_backend_name()} は使えません)",
    )


def _sqlite_engine(url: str) -> Engine:
    path = make_url(url).database
    if not path or path == ":memory:":
        raise UsageError(
            "SQLite needs a file: sqlite:////path", "SQLite はファイルに置きます: sqlite:////path"
        )
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url, connect_args={"timeout": BUSY_SECONDS}, pool_size=10, max_overflow=20
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # the module must not begin transactions by itself
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, True)
        connection.exec_driver_sql(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _use_wal(engine: Engine) -> None:
    """Readers beside a writer; stays so. Changing it does not wait for others by itself."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        connection = engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA journal_mode = WAL")
            return
        except engine.dialect.loaded_dbapi.DatabaseError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise DBAPIError("PRAGMA journal_mode = WAL", None, error) from error
            time.sleep(0.05)
        finally:
            connection.close()


def _unreachable(engine: Engine, error: DBAPIError) -> InputError:
    shown = engine.url.render_as_string(hide_password=True)
    reason = str(error.orig).strip().splitlines()[0] if error.orig else ""
    return InputError(
        f"the database {shown} cannot be opened: {reason}",
        f"データベース {shown} を開けません: {reason}",
    )
