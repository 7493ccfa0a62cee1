"""Zip and gzip files from strangers: unpacked in memory, under limits, without folders.

    archive_files(data, max_bytes=20_000_000)          # {"F25.csv": b"…"}

What a zip declares is checked before anything is unpacked, and what comes out while it does.
"""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from typing import IO

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text

ZIP_START = b"PK\x03\x04"
GZIP_START = b"\x1f\x8b"
_EMPTY_ZIP = b"PK\x05\x06"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_BLOCK = 2**18
_ENCRYPTED = 0x1
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""In these zipfile tells what it cannot read."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def is_zip(data: bytes) -> bool:
    """Whether bytes begin as a zip does."""
    return data.startswith((ZIP_START, _EMPTY_ZIP))


def archive_files(data: bytes, *, max_bytes: int, max_files: int = 50) -> dict[str, bytes]:
    """The files in a zip by name; an InputError tells what is wrong with it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _require_sound(members, max_bytes, max_files)
            return _unpacked(archive, members, max_bytes)
    except _DAMAGED:
        raise refused("zip", Text("the zip is damaged", "zip が壊れています")) from None


def gunzipped(data: bytes, *, max_bytes: int) -> bytes:
    """The content of a gzip."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return _read(stream, max_bytes)
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise refused("gzip", Text("the gzip is damaged", "gzip が壊れています")) from None


def require_size(size: int, max_bytes: int) -> None:
    """Fail if there are more bytes than allowed."""
    if size > max_bytes:
        megabytes = max_bytes / 2**20
        raise refused(
            "size",
            Text(
                f"the content is larger than {megabytes:g} MB",
                f"内容が {megabytes:g} MB を超えています",
            ),
        )


def refused(rule: str, reason: Text) -> InputError:
    """Why a file is not taken."""
    return InputError(reason, faults=[Fault(rule=rule, message=reason)])


def _require_sound(members: list[zipfile.ZipInfo], max_bytes: int, max_files: int) -> None:
    if not 0 < len(members) <= max_files:
        reason = Text(
            f"the zip holds {len(members)} files; 1 to {max_files} are allowed",
            f"zip に {len(members)} 個のファイルがあります (1〜{max_files} 個)",
        )
        raise refused("zip", reason)
    for member in members:
        _require_plain(member)
    require_size(sum(member.file_size for member in members), max_bytes)
    if len({member.filename for member in members}) < len(members):
        reason = Text("two files in the zip have one name", "zip に同じ名前のファイルがあります")
        raise refused("zip", reason)


def _require_plain(member: zipfile.ZipInfo) -> None:
    if member.flag_bits & _ENCRYPTED:
        raise refused("zip", Text("the zip is encrypted", "zip が暗号化されています"))
    if not _PLAIN_NAME.fullmatch(member.filename):
        raise refused(
            "zip",
            Text(
                "files in the zip must have plain names without folders (letters, digits, . _ -)",
                "zip 内のファイル名は、フォルダなしの英数字と . _ - だけにしてください",
            ),
        )
    if member.compress_type not in _METHODS:
        raise refused(
            "zip", Text("the zip must be stored or deflated", "zip は無圧縮か deflate だけです")
        )


def _unpacked(
    archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], max_bytes: int
) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for member in members:
        with archive.open(member) as stream:
            content = _read(stream, max_bytes, sum(map(len, found.values())))
        if content.startswith((ZIP_START, GZIP_START)):
            reason = Text("a zip in a zip is not unpacked", "zip の中の圧縮ファイルは開きません")
            raise refused("zip", reason)
        found[member.filename] = content
    return found


def _read(stream: IO[bytes] | gzip.GzipFile, max_bytes: int, before: int = 0) -> bytes:
    content = bytearray()
    while block := stream.read(_BLOCK):
        content += block
        require_size(before + len(content), max_bytes)
    return bytes(content)
