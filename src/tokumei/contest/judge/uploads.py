"""An upload's text: out of csv, csv.gz or a zip, as UTF-8, with lines of a sane number and length.

Everything that is wrong with a file before its cells are looked at is an InputError with one fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.contest.judge.archives import (
    GZIP_START,
    archive_files,
    gunzipped,
    is_zip,
    refused,
    require_size,
)
from tokumei.contest.judge.protocol import Upload
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


def upload_texts(
    upload: Upload, names: Sequence[str], limit: Limit, *, besides: Sequence[str] = ()
) -> dict[str, bytes]:
    """The texts of an upload that is made of the named files: a zip of just these.

    A single one may come alone, and have any name; those of `besides` may be in the zip or not.
    """
    require_size(len(upload.data), limit.max_bytes)
    if not is_zip(upload.data):
        if len(names) > 1:
            listed = ", ".join(names)
            raise refused(
                "zip", f"a zip of {listed} is needed", f"{listed} を入れた zip が必要です"
            )
        return {names[0]: _text(_plain(upload.data, limit), limit)}
    held = archive_files(upload.data, max_bytes=limit.max_bytes)
    if len(names) == 1:
        held = _with_one_named(held, names[0], besides)
    _require_names(list(held), names, besides)
    several = len(held) > 1
    return {name: _text(held[name], limit, name if several else "") for name in held}


def _with_one_named(held: dict[str, bytes], name: str, besides: Sequence[str]) -> dict[str, bytes]:
    """The files, that which is none of `besides` under the name of the only one there must be."""
    known = {one.casefold(): one for one in besides}
    found = {known[one.casefold()]: text for one, text in held.items() if one.casefold() in known}
    rest = [text for one, text in held.items() if one.casefold() not in known]
    if len(rest) != 1:
        more = Text(f" (besides {', '.join(besides)})", f" ({', '.join(besides)} のほかに)")
        more = more if besides else Text("", "")
        raise refused(
            "zip",
            f"the zip must hold exactly one file{more.en}, not {len(rest)}",
            f"zip にはファイルが 1 個だけ必要です{more.ja} ({len(rest)} 個あります)",
        )
    return {name: rest[0], **found}


def _plain(data: bytes, limit: Limit) -> bytes:
    if not data.startswith(GZIP_START):
        return data
    inside = gunzipped(data, max_bytes=limit.max_bytes)
    if is_zip(inside) or inside.startswith(GZIP_START):
        raise refused(
            "gzip", "a gzip in a gzip is not unpacked", "二重に圧縮されたファイルは開きません"
        )
    return inside


def _require_names(held: Sequence[str], names: Sequence[str], besides: Sequence[str]) -> None:
    lacking = [name for name in names if name not in held]
    others = [name for name in held if name not in (*names, *besides)]
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
        raise refused(
            "nul",
            f"{place}a NUL byte on line {line}: this is not a text file",
            f"{place}{line} 行目に NUL バイトがあります。テキストファイルではありません",
            line=line,
        )
    data = to_utf8(data, "auto", where=where)
    _require_lines(data, limit, place)
    return data


def _require_lines(data: bytes, limit: Limit, place: str) -> None:
    """Fail if there are far more lines than there may be, or one that is enormous.

    A file a little too long is left to the rules, which can still tell what its lines hold.
    """
    count = data.count(b"\n")
    if count > limit.lines + _FURTHER:
        raise refused(
            "rows",
            f"{place}{count} lines; {limit.lines} are expected",
            f"{place}{count} 行あります ({limit.lines} 行のはずです)",
            line=limit.lines + 1,
        )
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _NEWLINE)
    lengths = np.diff(ends, prepend=-1, append=len(data)) - 1
    if lengths.max() > limit.line_bytes:
        line = int(lengths.argmax()) + 1
        raise refused(
            "line-length",
            f"{place}line {line} has {lengths.max()} bytes; {limit.line_bytes} are allowed",
            f"{place}{line} 行目が {lengths.max()} バイトあります ({limit.line_bytes} バイトまで)",
            line=line,
        )
