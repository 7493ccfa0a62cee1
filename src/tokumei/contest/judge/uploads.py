"""An upload's text: out of csv, csv.gz or a zip, as UTF-8, with lines of a sane number and length.

    text = upload_text(upload, Limit(max_bytes=20 * 2**20, lines=44_917))
    texts = upload_texts(upload, ["F25.csv", "F50.csv"], limit)
    archive_files(data, max_bytes=20_000_000)          # {"F25.csv": b"…"}

Everything that is wrong with a file before its cells are looked at is an InputError with one fault.
What a file is, its first bytes tell, not its name. Zip and gzip files from strangers are unpacked
in memory, under limits, without folders: what a zip declares is checked before anything is
unpacked, and what comes out while it does.
"""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

import numpy as np

from tokumei.contest.judge.protocol import Upload
from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.files.encodings import to_utf8

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
_NEWLINE = 10
_FURTHER = 1000
"""So many lines too many are still looked at."""


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
            return _read_all(stream, max_bytes)
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
            content = _read_all(stream, max_bytes, sum(map(len, found.values())))
        if content.startswith((ZIP_START, GZIP_START)):
            reason = Text("a zip in a zip is not unpacked", "zip の中の圧縮ファイルは開きません")
            raise refused("zip", reason)
        found[member.filename] = content
    return found


def _read_all(stream: IO[bytes] | gzip.GzipFile, max_bytes: int, before: int = 0) -> bytes:
    content = bytearray()
    while block := stream.read(_BLOCK):
        content += block
        require_size(before + len(content), max_bytes)
    return bytes(content)


@dataclass(frozen=True)
class Limit:
    """The most that a file may have: bytes when unpacked, lines, bytes in a line."""

    max_bytes: int
    lines: int
    line_bytes: int = 10_000


def upload_text(upload: Upload, limit: Limit) -> bytes:
    """The text of an upload that is one file, alone or the only one in a zip."""
    require_size(len(upload.data), limit.max_bytes)
    if is_zip(upload.data):
        held = archive_files(upload.data, max_bytes=limit.max_bytes)
        if len(held) != 1:
            reason = Text(
                f"the zip must hold exactly one file, not {len(held)}",
                f"zip にはファイルが 1 個だけ必要です ({len(held)} 個あります)",
            )
            raise refused("zip", reason)
        return _text(next(iter(held.values())), limit)
    return _text(_plain(upload.data, limit), limit)


def upload_texts(upload: Upload, names: Sequence[str], limit: Limit) -> dict[str, bytes]:
    """The texts of an upload that is made of the named files: a zip of just these.

    A single one may come alone.
    """
    if len(names) == 1:
        return {names[0]: upload_text(upload, limit)}
    require_size(len(upload.data), limit.max_bytes)
    if not is_zip(upload.data):
        listed = ", ".join(names)
        reason = Text(f"a zip of {listed} is needed", f"{listed} を入れた zip が必要です")
        raise refused("zip", reason)
    held = archive_files(upload.data, max_bytes=limit.max_bytes)
    _require_names(list(held), names)
    return {name: _text(held[name], limit, name) for name in names}


def _plain(data: bytes, limit: Limit) -> bytes:
    if not data.startswith(GZIP_START):
        return data
    inside = gunzipped(data, max_bytes=limit.max_bytes)
    if is_zip(inside) or inside.startswith(GZIP_START):
        reason = Text("a gzip in a gzip is not unpacked", "二重に圧縮されたファイルは開きません")
        raise refused("gzip", reason)
    return inside


def _require_names(held: Sequence[str], names: Sequence[str]) -> None:
    lacking = [name for name in names if name not in held]
    others = [name for name in held if name not in names]
    faults = [
        Fault(rule="zip", message=Text(f"{name}: not in the zip", f"{name}: zip にありません"))
        for name in lacking
    ]
    faults += [
        Fault(rule="zip", message=Text(f"{name}: not expected", f"{name}: 余分なファイルです"))
        for name in others
    ]
    if faults:
        listed = ", ".join(names)
        reason = Text(f"the zip must hold {listed}", f"zip には {listed} が必要です")
        raise InputError(reason, faults=faults)


def _text(data: bytes, limit: Limit, name: str = "") -> bytes:
    where = name or Text("the file", "ファイル").show()
    place = f"{name}: " if name else ""
    if (nul := data.find(b"\0")) >= 0 and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        line = data.count(b"\n", 0, nul) + 1
        reason = Text(
            f"{place}a NUL byte on line {line}: this is not a text file",
            f"{place}{line} 行目に NUL バイトがあります。テキストファイルではありません",
        )
        raise InputError(reason, faults=[Fault(rule="nul", line=line, message=reason)])
    data = to_utf8(data, "auto", where=where)
    _require_lines(data, limit, place)
    return data


def _require_lines(data: bytes, limit: Limit, place: str) -> None:
    """Fail if there are far more lines than there may be, or one that is enormous.

    A file a little too long is left to the rules, which can still tell what its lines hold.
    """
    count = data.count(b"\n")
    if count > limit.lines + _FURTHER:
        reason = Text(
            f"{place}{count} lines; {limit.lines} are expected",
            f"{place}{count} 行あります ({limit.lines} 行のはずです)",
        )
        first = limit.lines + 1
        raise InputError(reason, faults=[Fault(rule="rows", line=first, message=reason)])
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _NEWLINE)
    lengths = np.diff(ends, prepend=-1, append=len(data)) - 1
    if lengths.max() > limit.line_bytes:
        line = int(lengths.argmax()) + 1
        reason = Text(
            f"{place}line {line} has {lengths.max()} bytes; {limit.line_bytes} are allowed",
            f"{place}{line} 行目が {lengths.max()} バイトあります ({limit.line_bytes} バイトまで)",
        )
        raise InputError(reason, faults=[Fault(rule="line-length", line=line, message=reason)])
