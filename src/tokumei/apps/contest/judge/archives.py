"""Unpacks untrusted zip and gzip files in memory, within limits.

    unpack_zip(data, max_bytes=20_000_000)          # {"F25.csv": b"…"}

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

from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message

ZIP_START = b"PK\x03\x04"
GZIP_START = b"\x1f\x8b"
_EMPTY_ZIP = b"PK\x05\x06"
_SYSTEM_FILES = re.compile(
    r"__MACOSX/.*|(?:.*/)?(?:\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)", re.I
)
"""What systems put into a zip by themselves."""
_UTF8_FLAG = 0x800
_PLAIN_NAME = re.compile(r"[^\W_][^/\\:\x00-\x1f\x7f]{0,99}|_[\w.-]{0,99}")
_MOST_MEMBERS = 1_000
_DIRECTORY_SIGNATURE = b"PK\x01\x02"
"""Begins each file's entry in a zip's list."""
_MOST_GZIPS = 100
_GZIP_WINDOW_BITS = 31
_BLOCK = 2**18
_ENCRYPTED_FLAG = 0x1
_DAMAGE_ERRORS = (
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
_ALLOWED_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def is_zip(data: bytes) -> bool:
    """Whether bytes begin as a zip does."""
    return data.startswith((ZIP_START, _EMPTY_ZIP))


def unpack_zip(data: bytes, *, max_bytes: int, max_files: int = 50) -> dict[str, bytes]:
    """The files in a zip by name; an InputError tells what is wrong with it."""
    if (
        listed_count := data.count(_DIRECTORY_SIGNATURE)
    ) > 2 * _MOST_MEMBERS:  # before all of them are read
        raise _too_many_files_error(listed_count, max_files)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = _members_by_name(archive.infolist())
            _require_allowed_members(members, max_bytes, max_files)
            return _read_members(archive, members, max_bytes)
    except _DAMAGE_ERRORS:
        raise rejection_error("zip", Message("the zip is damaged")) from None


def decompress_gzip(data: bytes, *, max_bytes: int) -> bytes:
    """The content of a gzip."""
    try:
        return _decompress_members(data, max_bytes)
    except (zlib.error, EOFError):
        raise rejection_error("gzip", Message("the gzip is damaged")) from None


def _decompress_members(data: bytes, max_bytes: int) -> bytes:
    """The gzips that follow each other in a file; each costs time, however little it holds."""
    content, rest = bytearray(), data
    for _ in range(_MOST_GZIPS):
        stream = zlib.decompressobj(_GZIP_WINDOW_BITS)
        content += stream.decompress(rest, max_bytes + 1 - len(content))
        require_size(len(content), max_bytes)
        if not stream.eof:
            raise EOFError
        rest = stream.unused_data.lstrip(b"\0")
        if not rest:
            return bytes(content)
    raise rejection_error(
        "gzip", Message("the gzip consists of more than {most} parts", most=_MOST_GZIPS)
    )


def require_size(size: int, max_bytes: int) -> None:
    """Fail if there are more bytes than allowed."""
    if size > max_bytes:
        megabytes = max_bytes / 2**20
        raise rejection_error(
            "size", Message("the content is larger than {megabytes:g} MB", megabytes=megabytes)
        )


def rejection_error(rule: str, reason: Message, *, line: int | None = None) -> InputError:
    """Why a file is not taken."""
    return InputError(reason, faults=[Violation(rule=rule, message=reason, line=line)])


def _members_by_name(members: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The files that somebody put into a zip, by their bare names."""
    if len(members) > _MOST_MEMBERS:
        raise _too_many_files_error(len(members), _MOST_MEMBERS)
    by_name: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        path = _decode_path(member)
        if path.endswith("/") or _SYSTEM_FILES.fullmatch(path):
            continue
        name = _require_file_name(path)
        if name in by_name:
            raise rejection_error("zip", Message("two files in the zip have the same name"))
        by_name[name] = member
    return by_name


def _decode_path(member: zipfile.ZipInfo) -> str:
    """The path in the zip; without the mark of UTF-8 it is that, or Shift_JIS, all the same."""
    if not member.flag_bits & _UTF8_FLAG:
        raw = member.orig_filename.encode("cp437", errors="replace")
        for encoding in ("utf-8", "cp932"):
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError:
                continue
    return member.orig_filename


def _require_file_name(path: str) -> str:
    """The name without folders; paths that leave the zip are refused."""
    member_path = PurePosixPath(path)
    if (
        member_path.is_absolute()
        or ".." in member_path.parts
        or not _PLAIN_NAME.fullmatch(member_path.name)
    ):
        raise rejection_error(
            "zip",
            Message(
                "a file in the zip has a name that cannot be used; take a plain one such as A.csv"
            ),
        )
    return member_path.name


def _too_many_files_error(count: int, most: int) -> InputError:
    return rejection_error(
        "zip",
        Message("the zip holds {files} files; 1 to {most} are allowed", files=count, most=most),
    )


def _require_allowed_members(
    members: dict[str, zipfile.ZipInfo], max_bytes: int, max_files: int
) -> None:
    if not 0 < len(members) <= max_files:
        raise _too_many_files_error(len(members), max_files)
    for member in members.values():
        if member.flag_bits & _ENCRYPTED_FLAG:
            raise rejection_error("zip", Message("the zip is encrypted"))
        if member.compress_type not in _ALLOWED_METHODS:
            raise rejection_error("zip", Message("the files in the zip must be stored or deflated"))
    require_size(sum(member.file_size for member in members.values()), max_bytes)


def _read_members(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], max_bytes: int
) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    for name, member in members.items():
        with archive.open(member) as stream:
            content = _read_limited(stream, max_bytes, sum(map(len, contents.values())))
        if content.startswith((ZIP_START, GZIP_START)):
            raise rejection_error("zip", Message("a zip in a zip is not unpacked"))
        contents[name] = content
    return contents


def _read_limited(stream: IO[bytes], max_bytes: int, before: int = 0) -> bytes:
    content = bytearray()
    while block := stream.read(_BLOCK):
        content += block
        require_size(before + len(content), max_bytes)
    return bytes(content)
