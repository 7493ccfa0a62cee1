"""A server from its backup, in a new folder, with any database.

    restore(Path("contest.zip"), Path("new-home"), database=None)

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
from typing import Any

import yaml

from tokumei.contest.store.backup import FOLDERS, FORMAT, MANIFEST, SINGLE, load_table, row_count
from tokumei.contest.store.database import lock, revision_of
from tokumei.contest.store.files import opened_zip, told_plainly
from tokumei.contest.store.home import FILE_NAME, SHARED, Home, open_home, prepare_home, settings_of
from tokumei.contest.store.tables import Base
from tokumei.core.errors import InputError, UsageError

_CHUNK = 1 << 20


def restore(backup: Path, path: Path, *, database: str | None = None) -> Home:
    """Make a home as it was; `database`: where its rows go, else SQLite inside it."""
    path = path.resolve()
    if path.exists() and any(path.iterdir()):
        raise UsageError(f"{path} is not empty", f"{path} は空ではありません")
    part = path.with_name(path.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with told_plainly(), opened_zip(backup, _damaged()) as archive:
            manifest = _manifest(archive)
            part.mkdir(parents=True, mode=SHARED)
            _unpack(archive, manifest, part)
            _set_database(part / FILE_NAME, database)
            _fill(prepare_home(part, settings_of(part, database=database)), archive, manifest)
            if path.exists():
                path.rmdir()
            part.rename(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return open_home(path, settings_of(path, database=database))


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
    except (KeyError, ValueError, zipfile.BadZipFile):
        raise _damaged() from None
    if manifest.get("format") != FORMAT:
        raise InputError(
            "the backup was made by another version of Tokumei; restore it with that one",
            "別の版の Tokumei で作られたバックアップです。その版で復元してください",
        )
    return manifest


def _unpack(archive: zipfile.ZipFile, manifest: dict[str, Any], home: Path) -> None:
    """Unpack all but the tables; the vault's files stay closed to others."""
    for name, expected in manifest["files"].items():
        target = None if name.startswith("tables/") else home / _safe(name)
        if target is not None:
            secret = name.startswith("vault/") or name == "key"
            _make_folders(home, target.parent, 0o700 if secret else SHARED)
            opened = os.open(target, os.O_WRONLY | os.O_CREAT, 0o600 if secret else 0o640)
        else:
            opened = os.open(os.devnull, os.O_WRONLY)
        with os.fdopen(opened, "wb") as out:
            if _copy(archive, name, out) != expected:
                raise _damaged(name)
    if (home / "vault").exists():
        (home / "vault").chmod(0o700)


def _make_folders(home: Path, folder: Path, mode: int) -> None:
    """`mkdir` gives its mode to the last folder only."""
    if folder != home:
        _make_folders(home, folder.parent, mode)
        folder.mkdir(exist_ok=True, mode=mode)


def _copy(archive: zipfile.ZipFile, name: str, out: Any) -> str:
    digest = hashlib.sha256()
    try:
        with archive.open(name) as member:
            while chunk := member.read(_CHUNK):
                digest.update(chunk)
                out.write(chunk)
    except (KeyError, zipfile.BadZipFile):
        raise _damaged(name) from None
    return digest.hexdigest()


def _safe(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    known = name in SINGLE or any(name.startswith(f"{folder}/") for folder in FOLDERS)
    if not known or ".." in path.parts:
        raise _damaged(name)
    return path


def _set_database(path: Path, database: str | None) -> None:
    """The copy must never write to the database of the server it was taken from."""
    if not path.exists() and database is None:
        return
    found = (yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else None) or {}
    found.pop("database", None)
    if database is not None:
        found["database"] = database
    path.write_text(yaml.safe_dump(found), encoding="utf-8")


def _fill(home: Home, archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    with closing(home.database()) as database, database.write() as session:
        lock(session, "migrate")
        if manifest["revision"] != revision_of(session.connection()):
            raise InputError(
                f"the backup was made by Tokumei {manifest['tokumei']}, whose tables differ; "
                "restore it with that version, then install this one",
                f"バックアップは表の異なる Tokumei {manifest['tokumei']} のものです。"
                "その版で復元してから、この版をインストールしてください",
            )
        for table in Base.metadata.sorted_tables:
            if row_count(session, table):
                raise UsageError("the database is not empty", "データベースが空ではありません")
        for table in Base.metadata.sorted_tables:
            with archive.open(f"tables/{table.name}.jsonl") as lines:
                if load_table(session, table, lines) != manifest["rows"][table.name]:
                    raise _damaged(table.name)


def _damaged(name: str = "") -> InputError:
    where = f": {name}" if name else ""
    return InputError(
        f"not a whole backup of a contest server{where}",
        f"コンテストサーバーの完全なバックアップではありません{where}",
    )
