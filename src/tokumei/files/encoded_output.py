"""Writes text in another encoding; characters it lacks are reported by line, or replaced."""

from __future__ import annotations

import codecs

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, UsageError, Violation
from tokumei.core.fields import field_value
from tokumei.core.generalized_cells import MISSING_SIGN, MISSING_WORD
from tokumei.core.messages import Message
from tokumei.core.progress import send_notice
from tokumei.files.file_formats import AnyPath

_REPLACEMENT = "?"


def resolve_output_codec(encoding: str) -> str:
    """The encoding as Python calls it; fails if it knows none of that name."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise UsageError(
            "'{encoding}' is not a known encoding (cp932, utf-8, euc-jp, latin-1 …)",
            encoding=encoding,
        ) from None


def encode_text(text: str, encoding: str, *, where: AnyPath, replace: bool = False) -> bytes:
    """The text in an encoding; characters that it lacks are faults, or question marks, counted.

    Cells `{∅;…}` become `{NULL;…}` where the sign is lacking.
    """
    if not _is_encodable(MISSING_SIGN, encoding):
        text = text.replace("{" + MISSING_SIGN + ";", "{" + MISSING_WORD + ";")
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        pass
    unencodable = _unencodable_characters(text, encoding)
    if not replace:
        raise _unencodable_error(where, encoding, unencodable)
    send_notice(
        Message(
            "{where}: {count} character that {encoding} lacks is written as {replacement}",
            plural="{where}: {count:,} characters that {encoding} lacks are written as "
            "{replacement}",
            count=len(unencodable),
            where=where,
            encoding=encoding,
            replacement=_REPLACEMENT,
        )
    )
    return text.encode(encoding, errors="replace")


def _unencodable_characters(text: str, encoding: str) -> list[tuple[int, str]]:
    """Every character that cannot be written, with its line."""
    unencodable = []
    for number, line in enumerate(text.split("\n"), 1):
        if _is_encodable(line, encoding):
            continue
        unencodable += [(number, char) for char in line if not _is_encodable(char, encoding)]
    return unencodable


def _is_encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _unencodable_error(where: AnyPath, encoding: str, lost: list[tuple[int, str]]) -> UsageError:
    faults = [
        Violation(
            rule="unencodable",
            line=line,
            message=Message(
                "line {line}: {encoding} lacks the character U+{code:04X}",
                line=line,
                encoding=encoding,
                code=ord(char),
            ),
        )
        for line, char in lost[:MAX_SHOWN_VIOLATIONS]
    ]
    marked = field_value("replace_unencodable", True)
    return UsageError(
        "{where}: not all characters can be written in {encoding}; write UTF-8, or mark them with "
        "{option}",
        faults=faults,
        total=len(lost),
        where=where,
        encoding=encoding,
        option=marked,
    )
