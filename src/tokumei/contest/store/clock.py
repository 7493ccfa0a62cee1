"""Time in the tables: UTC without a zone, and the database's own clock.

    session.execute(update(Job).values(lease_until=utc_now(30)))    # 30 s from now, by the database
    aware(entry.received_at)

Leases compare times of several machines, so only one clock may count.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Float, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class utc_now(FunctionElement[datetime]):
    """The database's clock in UTC, some seconds later if asked."""

    type = DateTime()
    inherit_cache = True

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(bindparam(None, seconds, type_=Float(), unique=True))


@compiles(utc_now, "sqlite")
def _sqlite(element: utc_now, compiler: SQLCompiler, **given: Any) -> str:
    # Six digits, as SQLAlchemy writes times: they are compared as text.
    seconds = compiler.process(element.clauses, **given)
    return f"(strftime('%Y-%m-%d %H:%M:%f', 'now', ({seconds}) || ' seconds') || '000')"


@compiles(utc_now, "postgresql")
def _postgresql(element: utc_now, compiler: SQLCompiler, **given: Any) -> str:
    # Not now(): a lease may have waited long since its transaction began.
    seconds = compiler.process(element.clauses, **given)
    return f"(timezone('utc', clock_timestamp()) + make_interval(secs => {seconds}))"


def naive(moment: datetime) -> datetime:
    """A time with a zone as the tables keep it."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def aware(moment: datetime) -> datetime:
    """A time of the tables with its zone."""
    return moment.replace(tzinfo=UTC)
