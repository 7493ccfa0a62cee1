"""Stores files by their SHA-256, and uploads until a worker moves them to the vault.

    store = FileStore(home / "files")
    key = store.put(b"…")
    store.read(key)                  # verified: a damaged file is never handed out

    with FileReceiver(inbox.path(entry_id), limit) as upload:
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

from tokumei.apps.http.errors import HttpError
from tokumei.core.errors import InputError, OutputError, UsageError
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import lock_file, sync_folder
from tokumei.files.atomic_write import Output, write_all

_SHA256_PATTERN = re.compile(r"[0-9a-f]{64}")
_ENTRY_ID_PATTERN = re.compile(r"[a-z0-9]{20}")
_PART_SUFFIX = ".part"
_DISK_FULL_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def sha256_hex(data: bytes) -> str:
    """The SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write_file(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Write a file to the disk and into place; OutputError tells why it could not be."""
    write_all([Output(path, lambda stream: stream.write(data), secret=secret)])


@contextmanager
def translate_write_errors() -> Iterator[None]:
    """What the system refuses to write becomes a sentence for whoever sent it."""
    try:
        yield
    except OSError as error:
        if error.errno in _DISK_FULL_ERRORS:
            reason = Message("the server's disk is full")
        else:
            reason = Message.verbatim(error.strerror or "")
        raise OutputError("the file was not saved: {reason}", reason=reason) from None


def open_zip(path: Path, damaged: InputError) -> zipfile.ZipFile:
    """A zip to be read; InputError if there is none, `damaged` if it is no zip."""
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError:
        raise InputError("{path} does not exist", path=path) from None
    except (OSError, zipfile.BadZipFile):
        raise damaged from None


@contextmanager
def hold_lock_file(lock_path: Path, already_held: UsageError) -> Iterator[None]:
    """Hold a lock on this machine, or raise `taken`; a killed process holds nothing."""
    with lock_path.open("ab") as lock_stream:
        try:
            lock_file(lock_stream.fileno())
        except BlockingIOError:
            raise already_held from None
        yield


@dataclass(frozen=True)
class FileStore:
    """A folder of files by content; `secret` ones only their owner may read."""

    folder: Path
    secret: bool = False

    def path(self, key: str) -> Path:
        """Where the content with this SHA-256 is."""
        if not _SHA256_PATTERN.fullmatch(key):
            raise UsageError("not a SHA-256: {key}", key=key)
        return self.folder / key[:2] / key

    def put(self, data: bytes) -> str:
        """Keep the content; its key."""
        key = sha256_hex(data)
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
            raise InputError("the stored file {key} is missing", key=key) from None
        if sha256_hex(data) != key:
            raise InputError("the stored file {key} is damaged", key=key)
        return data


class TooLargeUpload(HttpError, status=413):
    """More bytes came than the contest allows."""


@dataclass(frozen=True)
class StoredFile:
    """An upload that is safely on the disk."""

    path: Path
    sha256: str
    size: int


class FileReceiver:
    """An upload while it comes."""

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._limit = limit
        self._part_path = path.with_name(path.name + _PART_SUFFIX)
        self._digest = hashlib.sha256()
        self._size = 0
        with translate_write_errors():
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            self._stream = os.fdopen(os.open(self._part_path, flags, 0o640), "wb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def write(self, chunk: bytes) -> int:
        """Take the next bytes; how many."""
        self._size += len(chunk)
        if self._size > self._limit:
            most = f"{self._limit / 2**20:g} MB"
            raise TooLargeUpload("the file is larger than {most}", most=most)
        self._digest.update(chunk)
        with translate_write_errors():
            return self._stream.write(chunk)

    def flush(self) -> None:
        """Wait: `keep` puts everything on the disk."""

    def keep(self) -> StoredFile:
        """Put the upload on the disk and in place."""
        with translate_write_errors():
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._part_path.replace(self._path)
            sync_folder(self._path.parent)
        return StoredFile(self._path, self._digest.hexdigest(), self._size)

    def close(self) -> None:
        """Leave nothing half done behind."""
        try:
            self._stream.close()
        except OSError:
            pass  # what could not be written is not kept anyway
        finally:
            self._part_path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Inbox:
    """The folder of uploads."""

    folder: Path

    def path(self, entry_id: str) -> Path:
        """Where an entry's upload is."""
        if not _ENTRY_ID_PATTERN.fullmatch(entry_id):
            raise UsageError("not an entry: {entry_id}", entry_id=entry_id)
        return self.folder / entry_id

    def discard(self, entry_id: str) -> None:
        """Forget an upload."""
        self.path(entry_id).unlink(missing_ok=True)

    def waiting(self) -> list[str]:
        """The entries whose uploads are here."""
        return sorted(
            path.name for path in self.folder.iterdir() if _ENTRY_ID_PATTERN.fullmatch(path.name)
        )

    def age(self, entry_id: str) -> float:
        """Seconds since an upload came."""
        return _file_age(self.path(entry_id))

    def remove_unfinished(self, *, older_than: float) -> None:
        """Remove what a killed process left half received."""
        for path in self.folder.iterdir():
            if not _ENTRY_ID_PATTERN.fullmatch(path.name) and _file_age(path) > older_than:
                path.unlink(missing_ok=True)


def _file_age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
