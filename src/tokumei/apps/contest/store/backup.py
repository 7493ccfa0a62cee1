"""Writes a backup of a running server as one file.

    write_backup(open_home(path), Path("contest.zip"))

The tables are read in one view of one moment, as lines of JSON, the same from every database. Files
are only ever added, and always before a row names them, so those copied afterwards are complete for
that moment; the inbox comes before the vault, since uploads move from there to here. The file holds
the truth: mode 0600.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path

from sqlalchemy import ColumnElement, DateTime, Table, func, insert, select, text
from sqlalchemy.orm import Session

from tokumei._version import __version__
from tokumei.apps.contest.store.database import current_revision
from tokumei.apps.contest.store.server_home import ContestHome
from tokumei.apps.contest.store.tables import Base, ContestEntry
from tokumei.core.errors import InputError, UsageError
from tokumei.core.json_types import JsonObject
from tokumei.files.archives import ArchiveWriter, write_archive

_ROWS_PER_BLOCK = 500
MANIFEST_NAME = "manifest.json"
BACKUP_FORMAT = 1
BACKUP_FOLDERS = ("contests", "inbox", "files", "vault/uploads", "vault/truth", "vault/salts")
"""In the order in which they must be copied."""
SINGLE_FILES = ("key", "server.yaml")


def dump_table(
    session: Session, table: Table, where: ColumnElement[bool] | None = None, **replacements: str
) -> Iterator[bytes]:
    """A table's rows, one line each; rows that refer to others of the same table come later.

    `where` selects rows; `replacements` are values that replace those of a column.
    """
    self_references = [key.parent for key in table.foreign_keys if key.column.table is table]
    order = [*(column.is_not(None) for column in self_references), *table.primary_key.columns]
    query = select(table) if where is None else select(table).where(where)
    rows = session.execute(query.order_by(*order).execution_options(yield_per=_ROWS_PER_BLOCK))
    for row in rows.mappings():
        yield json.dumps({**row, **replacements}, default=datetime.isoformat).encode() + b"\n"


def load_table(session: Session, table: Table, lines: Iterable[bytes]) -> int:
    """Fill an empty table; the number of rows."""
    times = [column.name for column in table.columns if isinstance(column.type, DateTime)]
    rows = (_parse_row(line, times) for line in lines)
    count = 0
    while block := list(islice(rows, _ROWS_PER_BLOCK)):
        session.execute(insert(table), block)
        count += len(block)
    _reset_sequence(session, table)
    return count


def row_count(session: Session, table: Table) -> int:
    """How many rows a table has."""
    return session.scalar(select(func.count()).select_from(table)) or 0


def _parse_row(line: bytes, times: list[str]) -> dict[str, object]:
    row: dict[str, object] = json.loads(line)
    for name in times:
        if row[name] is not None:
            row[name] = datetime.fromisoformat(str(row[name]))
    return row


def _reset_sequence(session: Session, table: Table) -> None:
    """PostgreSQL counts numbers apart from the rows: let it go on after the last."""
    column = table.autoincrement_column
    if column is None or session.connection().dialect.name != "postgresql":
        return
    last = session.scalar(select(func.max(column)))
    if last is not None:
        sequence = text("SELECT setval(pg_get_serial_sequence(:table, :column), :last)")
        session.execute(sequence, {"table": table.name, "column": column.name, "last": last})


@dataclass
class BackupManifest:
    """What a backup holds: rows of each table, SHA-256 of each member."""

    revision: str
    rows: dict[str, int] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """The manifest as plain data."""
        return {"format": BACKUP_FORMAT, "tokumei": __version__, **vars(self)}


def write_backup(home: ContestHome, out: Path) -> BackupManifest:
    """Write the whole server to a new file."""
    if out.exists():
        raise UsageError("{out} exists already", out=out)
    with closing(home.database()) as database, database.read() as session:
        manifest = BackupManifest(current_revision(session.connection()))

        def add_members(archive: ArchiveWriter) -> None:
            _write_tables(archive, session, manifest)
            needed = list(_required_members(session))
            _write_files(archive, home.path, manifest)
            _require_complete(needed, manifest)
            archive.add(MANIFEST_NAME, json.dumps(manifest.as_json()))

        write_archive(out, add_members, secret=True, level=1)
    return manifest


def _write_tables(archive: ArchiveWriter, session: Session, manifest: BackupManifest) -> None:
    for table in Base.metadata.sorted_tables:
        name = f"tables/{table.name}.jsonl"
        lines = _count_lines(dump_table(session, table), manifest, table.name)
        manifest.files[name] = archive.add_chunks(name, lines)


def _count_lines(lines: Iterable[bytes], manifest: BackupManifest, table: str) -> Iterator[bytes]:
    manifest.rows[table] = 0
    for line in lines:
        manifest.rows[table] += 1
        yield line


def _write_files(archive: ArchiveWriter, home: Path, manifest: BackupManifest) -> None:
    for name in SINGLE_FILES:
        _add_file(archive, home, home / name, manifest)
    for folder in BACKUP_FOLDERS:
        for path in sorted((home / folder).rglob("*")):
            if not path.name.startswith("."):  # those are on their way
                _add_file(archive, home, path, manifest)


def _add_file(archive: ArchiveWriter, home: Path, path: Path, manifest: BackupManifest) -> None:
    name = path.relative_to(home).as_posix()
    # An upload may just have left the inbox; it will be found in the vault.
    with suppress(FileNotFoundError, IsADirectoryError):
        manifest.files[name] = archive.add_file(name, path)


def _required_members(session: Session) -> Iterator[tuple[str, ...]]:
    """For each entry of the view the names of which one must be in the backup."""
    for entry in session.scalars(select(ContestEntry)):
        yield f"inbox/{entry.id}", f"vault/uploads/{entry.sha256[:2]}/{entry.sha256}"
        if entry.public_sha256:
            yield (f"files/{entry.public_sha256[:2]}/{entry.public_sha256}",)
            yield (f"vault/truth/{entry.id}",)
            yield (f"vault/salts/{entry.id}.json",)


def _require_complete(needed: list[tuple[str, ...]], manifest: BackupManifest) -> None:
    missing = [names[-1] for names in needed if not manifest.files.keys() & set(names)]
    if missing:
        raise InputError(
            "{missing} files of this server are missing, the first: {first}",
            missing=len(missing),
            first=missing[0],
        )
