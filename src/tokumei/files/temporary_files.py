"""Finds and removes temporary files of killed runs.

    hidden_path_beside("public.csv", UNVERIFIED)     # a name that nobody takes for a release
    find_leftovers(["results"])                      # those that no living process holds

A file is locked as long as its process lives, so that what is in use is never taken for a leftover.
Where files cannot be marked so, nothing is called a leftover.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import mark_in_use, open_folder
from tokumei.core.progress import send_notice

HIDDEN_PREFIX = ".tokumei-"
UNVERIFIED_PREFIX, SECRET_PREFIX, EARLIER_PREFIX = (
    f"{HIDDEN_PREFIX}{word}-" for word in ("unverified", "secret", "earlier")
)


def hidden_path_beside(target: Path, prefix: str) -> Path:
    """A new hidden name beside a file."""
    return target.parent / f"{prefix}{secrets.token_hex(8)}"


@contextmanager
def temporary_secret_folder(beside: Path) -> Iterator[Path]:
    """A folder that only its owner may enter, beside a file; gone at the end."""
    parent = beside.parent if beside.parent.is_dir() else Path(tempfile.gettempdir())
    folder = parent / f"{SECRET_PREFIX}{secrets.token_hex(8)}"
    folder.mkdir(mode=0o700)
    descriptor = open_folder(folder)
    if descriptor is not None:
        mark_in_use(descriptor)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if descriptor is not None:
            os.close(descriptor)


def open_secret_file(path: Path) -> BinaryIO:
    """A new file that only its owner may read, from its first byte on."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def find_leftovers(folders: Iterable[str | Path]) -> list[Path]:
    """The hidden files and folders of ours that no living process holds."""
    prefixes = (UNVERIFIED_PREFIX, SECRET_PREFIX, EARLIER_PREFIX)
    paths = []
    for folder in map(Path, folders):
        with suppress(OSError):
            paths += [
                path
                for path in folder.iterdir()
                if path.name.startswith(prefixes) and _is_unused(path)
            ]
    return sorted(paths)


def remove_leftovers(folders: Iterable[str | Path]) -> list[Path]:
    """Remove them; those that are gone."""
    removed = find_leftovers(folders)
    for path in removed:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return removed


def notify_leftovers(folders: Iterable[Path]) -> None:
    """Say what an earlier run left, and how to remove it."""
    for folder in sorted({path.parent for path in find_leftovers(folders)}):
        leftover_count = len(find_leftovers([folder]))
        send_notice(
            Message(
                "{folder}: an interrupted run left {count} hidden file, unverified or secret; "
                "remove it with: tokumei leftovers {folder} --remove",
                plural="{folder}: an interrupted run left {count:,} hidden files, unverified or "
                "secret; remove them with: tokumei leftovers {folder} --remove",
                count=leftover_count,
                folder=folder,
            )
        )


def _is_unused(path: Path) -> bool:
    """Whether nobody marked it as in use; False where marks are unknown."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return mark_in_use(descriptor)
    finally:
        os.close(descriptor)
