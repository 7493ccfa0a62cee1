"""Snapshots of a contest's folder: the judge in force.

    create_snapshot(home.contests, "cup-4kq7", version)   # at creation and before rejudging
    snapshot_folder(home.contests, "cup-4kq7", version)   # "cup-4kq7.3f21…" below contests/
    changed_files(home.contests, "cup-4kq7", version)

Organisers correct files in the folder itself; until they judge again, uploads are judged with the
copy. `version` is a digest of file, data, extra code and library, so the copy says what counts.
"""

from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path

from tokumei.apps.contest.store.file_store import write_file
from tokumei.files.file_formats import sha256_of_file

_VERSION_DIGITS = 16


def snapshot_folder(contests: Path, folder: str, version: str) -> str:
    """The name of the copy; of the folder itself where none was made (homes of earlier days)."""
    name = _snapshot_name(folder, version)
    return name if (contests / name).is_dir() else folder


def create_snapshot(contests: Path, folder: str, version: str) -> None:
    """Make the copy, whole or not at all; once."""
    target = contests / _snapshot_name(folder, version)
    if target.is_dir():
        return
    draft = contests / f".{target.name}"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    for path in _list_files(contests / folder):
        write_file(draft / path.name, path.read_bytes())
    draft.rename(target)


def restore_from_snapshot(contests: Path, folder: str, version: str) -> None:
    """Make the folder what the judge in force is made of."""
    for path in _list_files(contests / snapshot_folder(contests, folder, version)):
        write_file(contests / folder / path.name, path.read_bytes())


def changed_files(contests: Path, folder: str, version: str) -> tuple[str, ...]:
    """Names of files that differ from the copy, or are in one of the two only."""
    current_files, snapshot_files = (
        {path.name: path for path in _list_files(contests / name)}
        for name in (folder, snapshot_folder(contests, folder, version))
    )
    names = sorted({*current_files, *snapshot_files})
    return tuple(
        name
        for name in names
        if name not in current_files
        or name not in snapshot_files
        or _file_digest(current_files[name]) != _file_digest(snapshot_files[name])
    )


def _file_digest(path: Path) -> str:
    stat = path.stat()
    return _cached_digest(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=256)
def _cached_digest(path: Path, _: int, __: int) -> str:
    return sha256_of_file(path)


def _snapshot_name(folder: str, version: str) -> str:
    return f"{folder}.{version[:_VERSION_DIGITS]}"


def _list_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file())
