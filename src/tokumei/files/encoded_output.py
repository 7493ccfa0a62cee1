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
            f"'{encoding}' is not a known encoding (cp932, utf-8, euc-jp, latin-1 …)",
            f"文字コード '{encoding}' は使えません (cp932、utf-8、euc-jp、latin-1 など)",
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
            f"{where}: {len(unencodable):,} characters that {encoding} lacks are written as "
            f"{_REPLACEMENT}",
            f"{where}: {encoding} にない {len(unencodable):,} 文字を {_REPLACEMENT} として書き出"
            f"します",
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
                f"line {line}: {encoding} lacks the character U+{ord(char):04X}",
                f"{line} 行目: {encoding} にない文字 U+{ord(char):04X} があります",
            ),
        )
        for line, char in lost[:MAX_SHOWN_VIOLATIONS]
    ]
    marked = field_value("replace_unencodable", True)
    return UsageError(
        f"{where}: not all characters can be written in {encoding}; write UTF-8, or mark them with "
        f"{marked}",
        f"{where}: {encoding} で書けない文字があります。UTF-8 で出力するか、"
        f"{marked} で置き換えてください",
        faults=faults,
        total=len(lost),
    )
