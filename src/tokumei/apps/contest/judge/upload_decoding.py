"""Decodes an upload (csv, csv.gz or zip) to UTF-8 text within limits on lines.

Everything that is wrong with a file before its cells are looked at is an InputError with one fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.apps.contest.judge.archives import (
    GZIP_START,
    decompress_gzip,
    is_zip,
    rejection_error,
    require_size,
    unpack_zip,
)
from tokumei.apps.contest.judge.results import Upload
from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message, join_messages
from tokumei.files.encodings import to_utf8

_NEWLINE = 10
_EXTRA_LINES = 1000
"""So many lines too many are still looked at."""


@dataclass(frozen=True)
class UploadLimits:
    """The most that a file may have: bytes when unpacked, lines, bytes in a line."""

    max_bytes: int
    lines: int
    line_bytes: int = 10_000


def read_upload_texts(
    upload: Upload, names: Sequence[str], limit: UploadLimits, *, besides: Sequence[str] = ()
) -> dict[str, bytes]:
    """The texts of an upload that is made of the named files: a zip of just these.

    A single one may come alone, and have any name; those of `besides` may be in the zip or not.
    """
    require_size(len(upload.data), limit.max_bytes)
    if not is_zip(upload.data):
        if len(names) > 1:
            raise rejection_error(
                "zip", Message("a zip of {names} is needed", names=join_messages(names))
            )
        return {names[0]: _decode_text(_decompress_if_gzip(upload.data, limit), limit)}
    contents = unpack_zip(upload.data, max_bytes=limit.max_bytes)
    if len(names) == 1:
        contents = _name_single_file(contents, names[0], besides)
    _require_expected_files(list(contents), names, besides)
    several = len(contents) > 1
    return {name: _decode_text(contents[name], limit, name if several else "") for name in contents}


def _name_single_file(
    contents: dict[str, bytes], name: str, besides: Sequence[str]
) -> dict[str, bytes]:
    """The files, that which is none of `besides` under the name of the only one there must be."""
    optional_names = {file_name.casefold(): file_name for file_name in besides}
    optional_files = {
        optional_names[file_name.casefold()]: text
        for file_name, text in contents.items()
        if file_name.casefold() in optional_names
    }
    other_texts = [
        text for file_name, text in contents.items() if file_name.casefold() not in optional_names
    ]
    if len(other_texts) != 1:
        raise rejection_error("zip", _describe_file_count(len(other_texts), besides))
    return {name: other_texts[0], **optional_files}


def _describe_file_count(number: int, besides: Sequence[str]) -> Message:
    if not besides:
        return Message("the zip must hold exactly one file, not {number}", number=number)
    return Message(
        "the zip must hold exactly one file (besides {besides}), not {number}",
        besides=join_messages(besides),
        number=number,
    )


def _decompress_if_gzip(data: bytes, limit: UploadLimits) -> bytes:
    if not data.startswith(GZIP_START):
        return data
    inside = decompress_gzip(data, max_bytes=limit.max_bytes)
    if is_zip(inside) or inside.startswith(GZIP_START):
        raise rejection_error("gzip", Message("a gzip in a gzip is not unpacked"))
    return inside


def _require_expected_files(
    present: Sequence[str], names: Sequence[str], besides: Sequence[str]
) -> None:
    missing = [name for name in names if name not in present]
    unexpected = [name for name in present if name not in (*names, *besides)]
    faults = [
        Violation(rule="zip", message=Message("{name}: not in the zip", name=name))
        for name in missing
    ]
    faults += [
        Violation(rule="zip", message=Message("{name}: not expected", name=name))
        for name in unexpected
    ]
    if faults:
        raise InputError("the zip must hold {names}", names=join_messages(names), faults=faults)


def _decode_text(data: bytes, limit: UploadLimits, name: str = "") -> bytes:
    where = name or Message("the file").show()
    if (nul := data.find(b"\0")) >= 0 and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        line = data.count(b"\n", 0, nul) + 1
        raise rejection_error(
            "nul",
            _in_file(
                name, Message("a NUL byte on line {line}: this is not a text file", line=line)
            ),
            line=line,
        )
    data = to_utf8(data, "auto", where=where)
    _require_line_limits(data, limit, name)
    return data


def _in_file(name: str, problem: Message) -> Message:
    """A problem of a file of a zip, with its name."""
    return Message("{name}: {problem}", name=name, problem=problem) if name else problem


def _require_line_limits(data: bytes, limit: UploadLimits, name: str) -> None:
    """Fail if there are far more lines than there may be, or one that is enormous.

    A file a little too long is left to the rules, which can still tell what its lines hold.
    """
    count = data.count(b"\n")
    if count > limit.lines + _EXTRA_LINES:
        raise rejection_error(
            "rows",
            _in_file(
                name,
                Message(
                    "{lines} lines; {expected} are expected", lines=count, expected=limit.lines
                ),
            ),
            line=limit.lines + 1,
        )
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _NEWLINE)
    lengths = np.diff(ends, prepend=-1, append=len(data)) - 1
    if lengths.max() > limit.line_bytes:
        line = int(lengths.argmax()) + 1
        raise rejection_error(
            "line-length",
            _in_file(
                name,
                Message(
                    "line {line} has {size} bytes; {most} are allowed",
                    line=line,
                    size=int(lengths.max()),
                    most=limit.line_bytes,
                ),
            ),
            line=line,
        )
