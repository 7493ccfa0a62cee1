"""Uploads as they came, until a worker takes them to the vault.

    with inbox.receiving(entry_id, limit) as upload:
        for chunk in body: upload.write(chunk)
        received = upload.keep()                 # on the disk, in place: sha256, size, path

Whatever ends the block before `keep` leaves nothing behind. The size is limited while the bytes
come, before anything looks at them.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tokumei.contest.store.files import sync_folder, told_plainly
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.http.refusals import Refusal

_NAME = re.compile(r"[a-z0-9]{20}")
_PART = ".part"


class TooLargeUpload(Refusal):
    """More bytes came than the contest allows."""

    status = 413


@dataclass(frozen=True)
class Received:
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

    def write(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._size += len(chunk)
        if self._size > self._limit:
            megabytes = f"{self._limit / 2**20:g}"
            raise TooLargeUpload(
                Text(
                    f"the file is larger than {megabytes} MB",
                    f"ファイルが {megabytes} MB を超えています",
                )
            )
        self._hash.update(chunk)
        with told_plainly():
            self._stream.write(chunk)

    def keep(self) -> Received:
        """Put the upload on the disk and in place."""
        with told_plainly():
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._part.replace(self._path)
            sync_folder(self._path.parent)
        return Received(self._path, self._hash.hexdigest(), self._size)

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

    @contextmanager
    def receiving(self, entry_id: str, limit: int) -> Iterator[Receiving]:
        """Take an upload of at most `limit` bytes."""
        upload = Receiving(self.path(entry_id), limit)
        try:
            yield upload
        finally:
            upload.close()

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
