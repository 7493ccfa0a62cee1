"""Zip and gzip files from strangers, unpacked in memory and under limits.

    archive_files(data, max_bytes=20_000_000)          # {"F25.csv": b"…"}

What a file is, its first bytes tell, not its name. What a zip declares is checked before anything
is unpacked, and what comes out while it does. Zips are taken as people make them: folders inside
are looked through, what systems add (`__MACOSX`, `.DS_Store`…) is left out, and names in UTF-8 or
Shift_JIS are understood. Nothing is ever written under such a name.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import IO

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text

ZIP_START = b"PK\x03\x04"
GZIP_START = b"\x1f\x8b"
_EMPTY_ZIP = b"PK\x05\x06"
_ADDED = re.compile(r"__MACOSX/.*|(?:.*/)?(?:\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)", re.I)
"""What systems put into a zip by themselves."""
_UTF8 = 0x800
_PLAIN_NAME = re.compile(r"[^\W_][^/\\:\x00-\x1f\x7f]{0,99}|_[\w.-]{0,99}")
_MOST_MEMBERS = 1_000
_LISTED = b"PK\x01\x02"
"""Begins each file's entry in a zip's list."""
_MOST_GZIPS = 100
_GZIP = 31
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
    if (listed := data.count(_LISTED)) > 2 * _MOST_MEMBERS:  # before all of them are read
        raise _too_many(listed, max_files)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = _named(archive.infolist())
            _require_sound(members, max_bytes, max_files)
            return _unpacked(archive, members, max_bytes)
    except _DAMAGED:
        raise refused("zip", "the zip is damaged", "zip が壊れています") from None


def gunzipped(data: bytes, *, max_bytes: int) -> bytes:
    """The content of a gzip."""
    try:
        return _members(data, max_bytes)
    except (zlib.error, EOFError):
        raise refused("gzip", "the gzip is damaged", "gzip が壊れています") from None


def _members(data: bytes, max_bytes: int) -> bytes:
    """The gzips that follow each other in a file; each costs time, however little it holds."""
    content, rest = bytearray(), data
    for _ in range(_MOST_GZIPS):
        stream = zlib.decompressobj(_GZIP)
        content += stream.decompress(rest, max_bytes + 1 - len(content))
        require_size(len(content), max_bytes)
        if not stream.eof:
            raise EOFError
        rest = stream.unused_data.lstrip(b"\0")
        if not rest:
            return bytes(content)
    raise refused(
        "gzip",
        f"the gzip consists of more than {_MOST_GZIPS} parts",
        f"gzip が {_MOST_GZIPS} 個を超える部分からできています",
    )


def require_size(size: int, max_bytes: int) -> None:
    """Fail if there are more bytes than allowed."""
    if size > max_bytes:
        megabytes = max_bytes / 2**20
        raise refused(
            "size",
            f"the content is larger than {megabytes:g} MB",
            f"内容が {megabytes:g} MB を超えています",
        )


def refused(rule: str, en: str, ja: str, *, line: int | None = None) -> InputError:
    """Why a file is not taken."""
    reason = Text(en, ja)
    return InputError(reason, faults=[Fault(rule=rule, message=reason, line=line)])


def _named(every: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The files that somebody put into a zip, by their bare names."""
    if len(every) > _MOST_MEMBERS:
        raise _too_many(len(every), _MOST_MEMBERS)
    named: dict[str, zipfile.ZipInfo] = {}
    for member in every:
        path = _path_of(member)
        if path.endswith("/") or _ADDED.fullmatch(path):
            continue
        name = _bare(path)
        if name in named:
            raise refused(
                "zip", "two files in the zip have one name", "zip に同じ名前のファイルがあります"
            )
        named[name] = member
    return named


def _path_of(member: zipfile.ZipInfo) -> str:
    """The path in the zip; without the mark of UTF-8 it is that, or Shift_JIS, all the same."""
    if not member.flag_bits & _UTF8:
        raw = member.orig_filename.encode("cp437", errors="replace")
        for encoding in ("utf-8", "cp932"):
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError:
                continue
    return member.orig_filename


def _bare(path: str) -> str:
    """The name without folders; paths that leave the zip are refused."""
    place = PurePosixPath(path)
    if place.is_absolute() or ".." in place.parts or not _PLAIN_NAME.fullmatch(place.name):
        raise refused(
            "zip",
            "a file in the zip has a name that cannot be used; take a plain one such as A.csv",
            "zip に使えないファイル名があります。A.csv のような名前にしてください",
        )
    return place.name


def _too_many(count: int, most: int) -> InputError:
    return refused(
        "zip",
        f"the zip holds {count} files; 1 to {most} are allowed",
        f"zip に {count} 個のファイルがあります (1〜{most} 個)",
    )


def _require_sound(named: dict[str, zipfile.ZipInfo], max_bytes: int, max_files: int) -> None:
    if not 0 < len(named) <= max_files:
        raise _too_many(len(named), max_files)
    for member in named.values():
        if member.flag_bits & _ENCRYPTED:
            raise refused("zip", "the zip is encrypted", "zip が暗号化されています")
        if member.compress_type not in _METHODS:
            raise refused(
                "zip", "the zip must be stored or deflated", "zip は無圧縮か deflate だけです"
            )
    require_size(sum(member.file_size for member in named.values()), max_bytes)


def _unpacked(
    archive: zipfile.ZipFile, named: dict[str, zipfile.ZipInfo], max_bytes: int
) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name, member in named.items():
        with archive.open(member) as stream:
            content = _read_all(stream, max_bytes, sum(map(len, found.values())))
        if content.startswith((ZIP_START, GZIP_START)):
            raise refused(
                "zip", "a zip in a zip is not unpacked", "zip の中の圧縮ファイルは開きません"
            )
        found[name] = content
    return found


def _read_all(stream: IO[bytes], max_bytes: int, before: int = 0) -> bytes:
    content = bytearray()
    while block := stream.read(_BLOCK):
        content += block
        require_size(before + len(content), max_bytes)
    return bytes(content)
