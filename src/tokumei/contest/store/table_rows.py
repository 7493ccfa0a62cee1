"""Tables as lines of JSON, the same from every database.

for line in dump_table(session, Entry.__table__): ...
load_table(session, Entry.__table__, lines)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import DateTime, Table, func, insert, select, text
from sqlalchemy.orm import Session

from tokumei.contest.store.tables import Base

_BLOCK = 500


def all_tables() -> list[Table]:
    """All tables, each after those it refers to."""
    return list(Base.metadata.sorted_tables)


def dump_table(session: Session, table: Table) -> Iterator[bytes]:
    """A table's rows, one line each; rows that refer to others of the same table come later."""
    own = [key.parent for key in table.foreign_keys if key.column.table is table]
    order = [*(column.is_not(None) for column in own), *table.primary_key.columns]
    rows = session.execute(select(table).order_by(*order).execution_options(yield_per=_BLOCK))
    for row in rows.mappings():
        yield json.dumps(dict(row), default=datetime.isoformat).encode() + b"\n"


def load_table(session: Session, table: Table, lines: Iterable[bytes]) -> int:
    """Fill an empty table; the number of rows."""
    times = [column.name for column in table.columns if isinstance(column.type, DateTime)]
    rows = (_row(line, times) for line in lines)
    count = 0
    while block := list(islice(rows, _BLOCK)):
        session.execute(insert(table), block)
        count += len(block)
    _go_on_counting(session, table)
    return count


def row_count(session: Session, table: Table) -> int:
    """How many rows a table has."""
    return session.scalar(select(func.count()).select_from(table)) or 0


def _row(line: bytes, times: list[str]) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    for name in times:
        if row[name] is not None:
            row[name] = datetime.fromisoformat(row[name])
    return row


def _go_on_counting(session: Session, table: Table) -> None:
    """PostgreSQL counts numbers apart from the rows: let it go on after the last."""
    column = table.autoincrement_column
    if column is None or session.connection().dialect.name != "postgresql":
        return
    last = session.scalar(select(func.max(column)))
    if last is not None:
        sequence = text("SELECT setval(pg_get_serial_sequence(:table, :column), :last)")
        session.execute(sequence, {"table": table.name, "column": column.name, "last": last})
