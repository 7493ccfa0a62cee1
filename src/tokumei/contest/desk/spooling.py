"""Files that are being received: straight to disk, never more than allowed.

with Spool(place, "A.csv", most_bytes=20_000_000) as spool:
    spool.write(chunk)              # TooLargeUpload (413) when it gets too much
    received = spool.finish()       # or nothing is left of it
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from tokumei.contest.desk.names import file_name
from tokumei.contest.desk.place import Place
from tokumei.contest.store.ids import new_id
from tokumei.contest.store.inbox import Receiving

CHUNK = 1 << 16


@dataclass(frozen=True)
class Received:
    """A file that has arrived completely; `at` is when (UTC without a zone)."""

    id: str
    path: Path
    name: str
    size: int
    sha256: str
    at: datetime

    def discard(self) -> None:
        """Remove it, if it is still there."""
        self.path.unlink(missing_ok=True)


class Spool:
    """A file on its way in."""

    def __init__(self, place: Place, name: str, *, most_bytes: int) -> None:
        self._place, self._id, self._name = place, new_id(), file_name(name)
        self._file = Receiving(place.home.inbox.path(self._id), most_bytes)

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def write(self, chunk: bytes) -> None:
        """The next bytes."""
        self._file.write(chunk)

    def finish(self) -> Received:
        """The whole file."""
        kept = self._file.keep()
        return Received(self._id, kept.path, self._name, kept.size, kept.sha256, self._place.now())

    def close(self) -> None:
        """Leave nothing half received behind."""
        self._file.close()


def receive_file(place: Place, stream: BinaryIO, name: str, *, most_bytes: int) -> Received:
    """A file that can be read."""
    with Spool(place, name, most_bytes=most_bytes) as spool:
        while chunk := stream.read(CHUNK):
            spool.write(chunk)
        return spool.finish()


def pack(place: Place, files: Sequence[Received], *, most_bytes: int) -> Received:
    """Several files as one zip, in the order given; the single ones are gone then."""
    with Spool(place, "guess.zip", most_bytes=most_bytes) as spool:
        with zipfile.ZipFile(_Stream(spool), "w") as archive:
            for file in files:
                archive.write(file.path, file.name)
        packed = spool.finish()
    for file in files:
        file.discard()
    return Received(**{**vars(packed), "at": max(file.at for file in files)})


class _Stream(io.RawIOBase):
    """A spool as a stream that a zip can be written to."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, chunk: Any) -> int:
        """The next bytes."""
        self._spool.write(bytes(chunk))
        return len(chunk)
