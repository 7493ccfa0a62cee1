"""A whole server in one file, taken while it works.

    back_up(open_home(path), Path("contest.zip"))

The tables are read in one view of one moment, as lines of JSON, the same from every database. Files
are only ever added, and always before a row names them, so those copied afterwards are complete for
that moment; the inbox comes before the vault, since uploads move from there to here. The file holds
the truth: mode 0600.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

from sqlalchemy import ColumnElement, DateTime, Table, func, insert, select, text
from sqlalchemy.orm import Session

from tokumei._version import __version__
from tokumei.contest.store.database import revision_of
from tokumei.contest.store.files import told_plainly
from tokumei.contest.store.home import Home
from tokumei.contest.store.tables import Base, Entry
from tokumei.core.errors import InputError, UsageError

_BLOCK = 500
MANIFEST = "manifest.json"
FORMAT = 1
FOLDERS = ("contests", "inbox", "files", "vault/uploads", "vault/truth", "vault/salts")
"""In the order in which they must be copied."""
SINGLE = ("key", "server.yaml")
_CHUNK = 1 << 20


def dump_table(
    session: Session, table: Table, where: ColumnElement[bool] | None = None, **instead: str
) -> Iterator[bytes]:
    """A table's rows, one line each; rows that refer to others of the same table come later.

    `where` chooses rows; `instead` has what stands in place of a column's values.
    """
    own = [key.parent for key in table.foreign_keys if key.column.table is table]
    order = [*(column.is_not(None) for column in own), *table.primary_key.columns]
    query = select(table) if where is None else select(table).where(where)
    rows = session.execute(query.order_by(*order).execution_options(yield_per=_BLOCK))
    for row in rows.mappings():
        yield json.dumps({**row, **instead}, default=datetime.isoformat).encode() + b"\n"


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


@dataclass
class Manifest:
    """What a backup holds: rows of each table, SHA-256 of each member."""

    revision: str
    rows: dict[str, int] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The manifest as plain data."""
        return {"format": FORMAT, "tokumei": __version__, **vars(self)}


def back_up(home: Home, out: Path) -> Manifest:
    """Write the whole server to a new file."""
    if out.exists():
        raise UsageError(f"{out} exists already", f"{out} は既に存在します")
    part = out.with_name(out.name + ".part")
    try:
        with told_plainly():
            opened = os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "w+b") as stream:
                manifest = _write(home, stream)
                stream.flush()
                os.fsync(stream.fileno())
            part.rename(out)
    finally:
        part.unlink(missing_ok=True)
    return manifest


def _write(home: Home, stream: IO[bytes]) -> Manifest:
    with (
        closing(home.database()) as database,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        database.read() as session,
    ):
        manifest = Manifest(revision_of(session.connection()))
        _write_tables(archive, session, manifest)
        needed = list(_needed(session))
        _write_files(archive, home.path, manifest)
        _require_all(needed, manifest)
        archive.writestr(MANIFEST, json.dumps(manifest.as_json()))
    return manifest


def _write_tables(archive: zipfile.ZipFile, session: Session, manifest: Manifest) -> None:
    for table in Base.metadata.sorted_tables:
        name, digest, count = f"tables/{table.name}.jsonl", hashlib.sha256(), 0
        with archive.open(name, "w", force_zip64=True) as member:
            for line in dump_table(session, table):
                member.write(line)
                digest.update(line)
                count += 1
        manifest.rows[table.name] = count
        manifest.files[name] = digest.hexdigest()


def _write_files(archive: zipfile.ZipFile, home: Path, manifest: Manifest) -> None:
    for name in SINGLE:
        _add(archive, home, home / name, manifest)
    for folder in FOLDERS:
        for path in sorted((home / folder).rglob("*")):
            if not path.name.startswith("."):  # those are on their way
                _add(archive, home, path, manifest)


def _add(archive: zipfile.ZipFile, home: Path, path: Path, manifest: Manifest) -> None:
    name = path.relative_to(home).as_posix()
    # An upload may just have left the inbox; it will be found in the vault.
    with suppress(FileNotFoundError, IsADirectoryError), path.open("rb") as source:
        digest = hashlib.sha256()
        with archive.open(name, "w", force_zip64=True) as member:
            while chunk := source.read(_CHUNK):
                member.write(chunk)
                digest.update(chunk)
        manifest.files[name] = digest.hexdigest()


def _needed(session: Session) -> Iterator[tuple[str, ...]]:
    """For each entry of the view the names of which one must be in the backup."""
    for entry in session.scalars(select(Entry)):
        yield f"inbox/{entry.id}", f"vault/uploads/{entry.sha256[:2]}/{entry.sha256}"
        if entry.public_sha256:
            yield (f"files/{entry.public_sha256[:2]}/{entry.public_sha256}",)
            yield (f"vault/truth/{entry.id}",)
            yield (f"vault/salts/{entry.id}.json",)


def _require_all(needed: list[tuple[str, ...]], manifest: Manifest) -> None:
    missing = [names[-1] for names in needed if not manifest.files.keys() & set(names)]
    if missing:
        raise InputError(
            f"{len(missing)} files of this server are missing, the first: {missing[0]}",
            f"このサーバーのファイルが {len(missing)} 個ありません (最初: {missing[0]})",
        )
