"""Files named by the SHA-256 of their content, and uploads until a worker takes them to the vault.

    store = FileStore(home / "files")
    key = store.put(b"…")
    store.read(key)                  # verified: a damaged file is never handed out

    with Receiving(inbox.path(entry_id), limit) as upload:
        for chunk in body: upload.write(chunk)
        received = upload.keep()     # on the disk, in place: sha256, size, path

All are written whole or not at all. Putting the same content again changes nothing, so a job that
is done twice leaves one file. The size of an upload is limited while its bytes come, before
anything looks at them, and whatever ends the block before `keep` leaves nothing behind.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tokumei.core.errors import InputError, OutputError, UsageError
from tokumei.core.platform_support import lock_file, sync_folder
from tokumei.core.text import Text
from tokumei.files.atomic import Output, write_all
from tokumei.http.refusals import Refusal

_KEY = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[a-z0-9]{20}")
_PART = ".part"
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


def opened_zip(path: Path, damaged: InputError) -> zipfile.ZipFile:
    """A zip to be read; InputError if there is none, `damaged` if it is no zip."""
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist", f"{path} がありません") from None
    except (OSError, zipfile.BadZipFile):
        raise damaged from None


@contextmanager
def held_alone(lock: Path, taken: UsageError) -> Iterator[None]:
    """Hold a lock on this machine, or raise `taken`; a killed process holds nothing."""
    with lock.open("ab") as held:
        try:
            lock_file(held.fileno())
        except BlockingIOError:
            raise taken from None
        yield


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

    def put(self, data: bytes) -> str:
        """Keep the content; its key."""
        key = sha256_of(data)
        path = self.path(key)
        if not path.is_file():
            mode = 0o700 if self.secret else 0o755
            path.parent.mkdir(mode=mode, parents=True, exist_ok=True)
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


class TooLargeUpload(Refusal, status=413):
    """More bytes came than the contest allows."""


@dataclass(frozen=True)
class Stored:
    """An upload that is safely on the disk."""

    path: Path
    sha256: str
    size: int


class Receiving:
    """An upload while it comes."""

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._limit = limit
        self._part = path.with_name(path.name + _PART)
        self._hash = hashlib.sha256()
        self._size = 0
        with told_plainly():
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            self._stream = os.fdopen(os.open(self._part, flags, 0o640), "wb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def write(self, chunk: bytes) -> int:
        """Take the next bytes; how many."""
        self._size += len(chunk)
        if self._size > self._limit:
            most = f"{self._limit / 2**20:g} MB"
            raise TooLargeUpload(
                f"the file is larger than {most}", f"ファイルが {most} を超えています"
            )
        self._hash.update(chunk)
        with told_plainly():
            return self._stream.write(chunk)

    def flush(self) -> None:
        """Wait: `keep` puts everything on the disk."""

    def keep(self) -> Stored:
        """Put the upload on the disk and in place."""
        with told_plainly():
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._part.replace(self._path)
            sync_folder(self._path.parent)
        return Stored(self._path, self._hash.hexdigest(), self._size)

    def close(self) -> None:
        """Leave nothing half done behind."""
        try:
            self._stream.close()
        except OSError:
            pass  # what could not be written is not kept anyway
        finally:
            self._part.unlink(missing_ok=True)


@dataclass(frozen=True)
class Inbox:
    """The folder of uploads."""

    folder: Path

    def path(self, entry_id: str) -> Path:
        """Where an entry's upload is."""
        if not _NAME.fullmatch(entry_id):
            raise UsageError(f"not an entry: {entry_id}", f"提出の番号ではありません: {entry_id}")
        return self.folder / entry_id

    def discard(self, entry_id: str) -> None:
        """Forget an upload."""
        self.path(entry_id).unlink(missing_ok=True)

    def waiting(self) -> list[str]:
        """The entries whose uploads are here."""
        return sorted(path.name for path in self.folder.iterdir() if _NAME.fullmatch(path.name))

    def age(self, entry_id: str) -> float:
        """Seconds since an upload came."""
        return _age(self.path(entry_id))

    def remove_unfinished(self, *, older_than: float) -> None:
        """Remove what a killed process left half received."""
        for path in self.folder.iterdir():
            if not _NAME.fullmatch(path.name) and _age(path) > older_than:
                path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
