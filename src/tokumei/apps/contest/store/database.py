"""Opens and migrates the server's database, SQLite or PostgreSQL.

    database = open_database("sqlite:////srv/contest/database/store.sqlite")
    with database.write() as session: ...        # one transaction, committed at the end
    with database.read() as session: ...         # one moment's view; writing is refused
    session.execute(update(Job).values(lease_until=utc_now(30)))    # 30 s from now, by the database

SQLite takes one writer at a time, from the first statement on (BEGIN IMMEDIATE), so what a writer
reads cannot change under it. On PostgreSQL `lock_subject` does the same for one subject. Times are
UTC without a zone; leases compare those of several machines, so only the database's clock may
count.

Tables are brought up to date by Alembic's steps in `migrations/versions`, all of them in one
transaction, so a killed start leaves the old tables, and of several processes that start at once
one migrates. Alembic is loaded only where there is a step to take.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

from sqlalchemy import (
    JSON,
    Connection,
    DateTime,
    Engine,
    Float,
    MetaData,
    bindparam,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from tokumei.core.errors import InputError, OutputError, UsageError

LATEST_REVISION = "0004"
"""The last step in `migrations/versions`."""
BUSY_SECONDS = 30
JsonColumn: TypeAlias = dict[str, Any]
"""JSON in a column, as whoever wrote it there shaped it."""
MessageColumn: TypeAlias = dict[str, str]
"""A sentence by language: {"en", "ja"}."""
_WRITE_OPTION = "tokumei_writes"
_SQLITE_FULL, _DISK_FULL = "disk is full", "53100"


def migrate(connection: Connection) -> None:
    """Make the tables, or change those of an older version; refuse those of a newer one."""
    current = current_revision(connection)
    if current != LATEST_REVISION:
        _run_migrations(connection, current)


def current_revision(connection: Connection) -> str:
    """The step that a database's tables are at; empty before the first."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.scalar(text("SELECT version_num FROM alembic_version")) or ""


def _run_migrations(connection: Connection, current: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    steps = ScriptDirectory.from_config(config).walk_revisions()
    if current and current not in {step.revision for step in steps}:
        raise InputError(
            "the database was made by a newer version of Tokumei (step {current}); install that "
            "version or a newer one",
            current=current,
        )
    command.upgrade(config, "head")


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
        engine = self.engine.execution_options(**{_WRITE_OPTION: True})
        with (
            _translate_disk_full(),
            Session(engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A view of one moment; a page never mixes two."""
        options: dict[str, object] = {_WRITE_OPTION: False}
        if not self.sqlite:
            options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with Session(self.engine.execution_options(**options), expire_on_commit=False) as session:
            yield session

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Open a database, make or bring up to date its tables."""
    database = Database(_make_engine(url))
    try:
        if database.sqlite:
            _enable_wal(database.engine)
        with database.write() as session:
            lock_subject(session, "migrate")
            migrate(session.connection())
    except DBAPIError as error:
        database.close()
        raise _connection_error(database.engine, error) from None
    return database


def lock_subject(session: Session, subject: str) -> None:
    """Let no other writer about the same subject go on until this transaction ends."""
    if session.connection().dialect.name == "postgresql":
        number = zlib.crc32(subject.encode())
        session.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


@contextmanager
def _translate_disk_full() -> Iterator[None]:
    """A full disk is no bug: whoever writes is told, and nothing of it is kept."""
    try:
        yield
    except DBAPIError as error:
        if _SQLITE_FULL in str(error.orig) or getattr(error.orig, "sqlstate", "") == _DISK_FULL:
            raise OutputError("nothing was saved: the server's disk is full") from None
        raise


def _make_engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError("not a database URL: {url}", url=url) from None
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() == "sqlite":
        return _make_sqlite_engine(parsed.render_as_string(hide_password=False))
    if parsed.get_backend_name() == "postgresql":
        return create_engine(parsed, pool_pre_ping=True, pool_size=10, max_overflow=20)
    raise UsageError(
        "the database must be sqlite or postgresql, not {database}",
        database=parsed.get_backend_name(),
    )


def _make_sqlite_engine(url: str) -> Engine:
    path = make_url(url).database
    if not path or path == ":memory:":
        raise UsageError("SQLite needs a file: sqlite:////path")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url, connect_args={"timeout": BUSY_SECONDS}, pool_size=10, max_overflow=20
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: DBAPIConnection, record: object) -> None:
        connection.isolation_level = None  # the module must not begin transactions by itself
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITE_OPTION, True)
        connection.exec_driver_sql(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _enable_wal(engine: Engine) -> None:
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


def _connection_error(engine: Engine, error: DBAPIError) -> InputError:
    safe_url = engine.url.render_as_string(hide_password=True)
    reason = str(error.orig).strip().splitlines()[0] if error.orig else ""
    return InputError(
        "the database {safe_url} cannot be opened: {reason}", safe_url=safe_url, reason=reason
    )


class utc_now(FunctionElement[datetime]):
    """The database's clock in UTC, some seconds later if asked."""

    type = DateTime()
    inherit_cache = True

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(bindparam(None, seconds, type_=Float(), unique=True))


@compiles(utc_now, "sqlite")
def _compile_utc_now_sqlite(element: utc_now, compiler: SQLCompiler, **given: object) -> str:
    # Six digits, as SQLAlchemy writes times: they are compared as text.
    seconds = compiler.process(element.clauses, **given)
    return f"(strftime('%Y-%m-%d %H:%M:%f', 'now', ({seconds}) || ' seconds') || '000')"


@compiles(utc_now, "postgresql")
def _compile_utc_now_postgresql(element: utc_now, compiler: SQLCompiler, **given: object) -> str:
    # Not now(): a lease may have waited long since its transaction began.
    seconds = compiler.process(element.clauses, **given)
    return f"(timezone('utc', clock_timestamp()) + make_interval(secs => {seconds}))"


def to_naive_utc(timestamp: datetime) -> datetime:
    """A time with a zone as the tables keep it."""
    return timestamp.astimezone(UTC).replace(tzinfo=None)


def to_aware_utc(timestamp: datetime) -> datetime:
    """A time of the tables with its zone."""
    return timestamp.replace(tzinfo=UTC)


class StoredViolation(TypedDict):
    """A violation in a column (`Violation.as_json`)."""

    rule: str
    message_en: str
    message_ja: str
    line: int | None
    column: str | None


class Base(DeclarativeBase):
    """Base of all tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "%(table_name)s_by_%(column_0_N_name)s",
            "uq": "%(table_name)s_%(column_0_N_name)s_once",
            "fk": "%(table_name)s_%(column_0_N_name)s_exists",
            "pk": "%(table_name)s_identity",
        }
    )
    type_annotation_map = {  # noqa: RUF012
        JsonColumn: JSON(none_as_null=True),
        MessageColumn: JSON(none_as_null=True),
        list[StoredViolation]: JSON(none_as_null=True),
        list[str]: JSON(none_as_null=True),
    }
