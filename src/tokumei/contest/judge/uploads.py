"""An upload's text: out of csv, csv.gz or a zip, as UTF-8, with lines of a sane number and length.

    text = upload_text(upload, Limit(max_bytes=20 * 2**20, lines=44_917))
    texts = upload_texts(upload, ["F25.csv", "F50.csv"], limit)

Everything that is wrong with a file before its cells are looked at is an InputError with one fault.
What a file is, its first bytes tell, not its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.contest.judge.protocol import Upload
from tokumei.contest.spec.archives import (
    GZIP_START,
    archive_files,
    gunzipped,
    is_zip,
    refused,
    require_size,
)
from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.files.encodings import to_utf8

_NEWLINE = 10
_FURTHER = 1000
"""So many lines too many are still looked at."""


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
