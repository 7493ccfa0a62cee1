"""Files named by the SHA-256 of their content, written whole or not at all.

    store = FileStore(home / "files")
    key = store.put(b"…")
    store.read(key)                  # verified: a damaged file is never handed out

Putting the same content again changes nothing, so a job that is done twice leaves one file.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tokumei.core.errors import InputError, OutputError, UsageError
from tokumei.core.text import Text
from tokumei.files.atomic import Output, write_all

_KEY = re.compile(r"[0-9a-f]{64}")
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def sha256_of(data: bytes) -> str:
    """The SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write_file(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Write a file to the disk and into place; OutputError tells why it could not be."""
    write_all([Output(path, lambda stream: stream.write(data), secret=secret)])


@contextmanager
def told_plainly() -> Iterator[None]:
    """What the system refuses to write becomes a sentence for whoever sent it."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            reason = Text("the server's disk is full", "サーバーのディスクに空きがありません")
        else:
            reason = Text(f"{error.strerror}", f"{error.strerror}")
        raise OutputError(
            f"the file was not saved: {reason.en}", f"ファイルを保存できません: {reason.ja}"
        ) from None


def sync_folder(folder: Path) -> None:
    """Put a folder's names on the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


@dataclass(frozen=True)
class FileStore:
    """A folder of files by content; `secret` ones only their owner may read."""

    folder: Path
    secret: bool = False

    def path(self, key: str) -> Path:
        """Where the content with this SHA-256 is."""
        if not _KEY.fullmatch(key):
            raise UsageError(f"not a SHA-256: {key}", f"SHA-256 ではありません: {key}")
        return self.folder / key[:2] / key

    def has(self, key: str) -> bool:
        """Whether the content is here."""
        return self.path(key).is_file()

    def put(self, data: bytes) -> str:
        """Keep the content; its key."""
        key = sha256_of(data)
        path = self.path(key)
        if not path.is_file():
            path.parent.mkdir(mode=0o700 if self.secret else 0o755, exist_ok=True)
            write_file(path, data, secret=self.secret)
        return key

    def read(self, key: str) -> bytes:
        """The content, verified."""
        try:
            data = self.path(key).read_bytes()
        except FileNotFoundError:
            raise InputError(
                f"the stored file {key} is missing", f"保存したファイル {key} がありません"
            ) from None
        if sha256_of(data) != key:
            raise InputError(
                f"the stored file {key} is damaged", f"保存したファイル {key} が壊れています"
            )
        return data
