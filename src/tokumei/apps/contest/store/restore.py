"""Restores a server from its backup into a new folder, with any database.

    restore_backup(Path("contest.zip"), Path("new-home"), database=None)

Every member is verified against the manifest while it is unpacked; nothing is put in place unless
all of them are right. An existing folder or a database with rows is never touched.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO, TypedDict

import yaml

from tokumei.apps.contest.store.backup import (
    BACKUP_FOLDERS,
    BACKUP_FORMAT,
    MANIFEST_NAME,
    SINGLE_FILES,
    load_table,
    row_count,
)
from tokumei.apps.contest.store.database import current_revision, lock_subject
from tokumei.apps.contest.store.file_store import open_zip, translate_write_errors
from tokumei.apps.contest.store.server_home import (
    SETTINGS_FILE,
    SHARED_MODE,
    ContestHome,
    load_settings,
    open_home,
    prepare_home,
)
from tokumei.apps.contest.store.tables import Base
from tokumei.core.errors import InputError, UsageError

_CHUNK = 1 << 20


def restore_backup(backup: Path, path: Path, *, database: str | None = None) -> ContestHome:
    """Make a home as it was; `database`: where its rows go, else SQLite inside it."""
    path = path.resolve()
    if path.exists() and any(path.iterdir()):
        raise UsageError("{path} is not empty", path=path)
    part_path = path.with_name(path.name + ".part")
    shutil.rmtree(part_path, ignore_errors=True)
    try:
        with translate_write_errors(), open_zip(backup, _damaged_backup_error()) as archive:
            manifest = _read_manifest(archive)
            part_path.mkdir(parents=True, mode=SHARED_MODE)
            _unpack_files(archive, manifest, part_path)
            _set_database(part_path / SETTINGS_FILE, database)
            _load_tables(
                prepare_home(part_path, load_settings(part_path, database=database)),
                archive,
                manifest,
            )
            if path.exists():
                path.rmdir()
            part_path.rename(path)
    finally:
        shutil.rmtree(part_path, ignore_errors=True)
    return open_home(path, load_settings(path, database=database))


class StoredManifest(TypedDict):
    """The manifest of a backup as its file holds it (`BackupManifest.as_json`)."""

    format: int
    tokumei: str
    revision: str
    rows: dict[str, int]
    files: dict[str, str]


def _read_manifest(archive: zipfile.ZipFile) -> StoredManifest:
    try:
        manifest: StoredManifest = json.loads(archive.read(MANIFEST_NAME))
    except (KeyError, ValueError, zipfile.BadZipFile):
        raise _damaged_backup_error() from None
    if manifest.get("format") != BACKUP_FORMAT:
        raise InputError(
            "the backup was made by another version of Tokumei; restore it with that one"
        )
    return manifest


def _unpack_files(archive: zipfile.ZipFile, manifest: StoredManifest, home: Path) -> None:
    """Unpack all but the tables; the vault's files stay closed to others."""
    for name, expected in manifest["files"].items():
        target = None if name.startswith("tables/") else home / _require_safe_name(name)
        if target is not None:
            secret = name.startswith("vault/") or name == "key"
            _make_folders(home, target.parent, 0o700 if secret else SHARED_MODE)
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT, 0o600 if secret else 0o640)
        else:
            descriptor = os.open(os.devnull, os.O_WRONLY)
        with os.fdopen(descriptor, "wb") as out:
            if _copy_member(archive, name, out) != expected:
                raise _damaged_backup_error(name)
    if (home / "vault").exists():
        (home / "vault").chmod(0o700)


def _make_folders(home: Path, folder: Path, mode: int) -> None:
    """`mkdir` gives its mode to the last folder only."""
    if folder != home:
        _make_folders(home, folder.parent, mode)
        folder.mkdir(exist_ok=True, mode=mode)


def _copy_member(archive: zipfile.ZipFile, name: str, out: IO[bytes]) -> str:
    digest = hashlib.sha256()
    try:
        with archive.open(name) as member:
            while chunk := member.read(_CHUNK):
                digest.update(chunk)
                out.write(chunk)
    except (KeyError, zipfile.BadZipFile):
        raise _damaged_backup_error(name) from None
    return digest.hexdigest()


def _require_safe_name(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    is_expected = name in SINGLE_FILES or any(
        name.startswith(f"{folder}/") for folder in BACKUP_FOLDERS
    )
    if not is_expected or ".." in path.parts:
        raise _damaged_backup_error(name)
    return path


def _set_database(path: Path, database: str | None) -> None:
    """The copy must never write to the database of the server it was taken from."""
    if not path.exists() and database is None:
        return
    settings = (yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else None) or {}
    settings.pop("database", None)
    if database is not None:
        settings["database"] = database
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")


def _load_tables(home: ContestHome, archive: zipfile.ZipFile, manifest: StoredManifest) -> None:
    with closing(home.database()) as database, database.write() as session:
        lock_subject(session, "migrate")
        if manifest["revision"] != current_revision(session.connection()):
            raise InputError(
                "the backup was made by Tokumei {tokumei}, whose tables differ; restore it with "
                "that version, then install this one",
                tokumei=manifest["tokumei"],
            )
        for table in Base.metadata.sorted_tables:
            if row_count(session, table):
                raise UsageError("the database is not empty")
        for table in Base.metadata.sorted_tables:
            with archive.open(f"tables/{table.name}.jsonl") as lines:
                if load_table(session, table, lines) != manifest["rows"][table.name]:
                    raise _damaged_backup_error(table.name)


def _damaged_backup_error(name: str = "") -> InputError:
    if name:
        return InputError("this is not a complete backup of a contest server: {name}", name=name)
    return InputError("this is not a complete backup of a contest server")
