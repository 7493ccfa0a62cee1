"""Writes zip archives: the same members give the same bytes, at any time and on any system.

with open_archive(stream) as archive:
    archive.add("README.txt", "…")
    digest = archive.add_file("data/A.csv", path)

write_archive(Path("all.zip"), fill, secret=True)     # whole or not at all
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tokumei.files.atomic_write import Output, write_all

_CHUNK = 1 << 20


class ByteSink(Protocol):
    """What takes bytes one after the other, as files do."""

    def write(self, data: bytes, /) -> int:
        """Take bytes; their number."""
        ...

    def flush(self) -> None:
        """Pass on what was taken."""

    def close(self) -> None:
        """Take no more."""


@dataclass(frozen=True)
class ArchiveWriter:
    """An archive to which members are added, which carry no time and no owner."""

    _archive: zipfile.ZipFile

    def add(self, name: str, content: bytes | str) -> None:
        """Add a member that is in memory."""
        member = zipfile.ZipInfo(name)
        member.compress_type = self._archive.compression
        self._archive.writestr(member, content, compresslevel=self._archive.compresslevel)

    def add_chunks(self, name: str, chunks: Iterable[bytes]) -> str:
        """Add a member of any size part by part; its SHA-256."""
        info = zipfile.ZipInfo(name)
        info.compress_type = self._archive.compression
        digest = hashlib.sha256()
        with self._archive.open(info, "w", force_zip64=True) as member:
            for chunk in chunks:
                member.write(chunk)
                digest.update(chunk)
        return digest.hexdigest()

    def add_file(self, name: str, path: Path) -> str:
        """Add a file of any size; its SHA-256."""
        with path.open("rb") as source:
            return self.add_chunks(name, iter(lambda: source.read(_CHUNK), b""))


@contextmanager
def open_archive(
    stream: ByteSink, *, compressed: bool = True, level: int | None = None
) -> Iterator[ArchiveWriter]:
    """Write an archive to a stream; it is complete when the block ends."""
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(stream, "w", method, compresslevel=level) as archive:
        yield ArchiveWriter(archive)


def write_archive(
    path: Path,
    fill: Callable[[ArchiveWriter], object],
    *,
    secret: bool = False,
    level: int | None = None,
) -> None:
    """Write an archive file, whole or not at all; OutputError tells why it could not be."""

    def write(stream: ByteSink) -> None:
        with open_archive(stream, level=level) as archive:
            fill(archive)

    write_all([Output(path, write, secret=secret)])


def pack_archive(members: Mapping[str, bytes]) -> bytes:
    """The bytes of a small archive."""
    packed = io.BytesIO()
    with open_archive(packed) as archive:
        for name, content in members.items():
            archive.add(name, content)
    return packed.getvalue()
