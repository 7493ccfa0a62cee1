"""Text on its way out in another encoding: what that lacks is named by its line, or replaced."""

from __future__ import annotations

import codecs

from tokumei.core.cells import GAP, PLAIN_GAP
from tokumei.core.errors import FAULTS_SHOWN, Fault, UsageError
from tokumei.core.fields import field_value
from tokumei.core.progress import notice
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath

_MARK = "?"


def check_codec(encoding: str) -> str:
    """The encoding as Python calls it; fails if it knows none of that name."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise UsageError(
            f"'{encoding}' is not a known encoding (cp932, utf-8, euc-jp, latin-1 …)",
            f"文字コード '{encoding}' は使えません (cp932、utf-8、euc-jp、latin-1 など)",
        ) from None


def encoded(text: str, encoding: str, *, where: AnyPath, replace: bool = False) -> bytes:
    """The text in an encoding; characters that it lacks are faults, or question marks, counted.

    Cells `{∅;…}` become `{NULL;…}` where the sign is lacking.
    """
    if not _fits(GAP, encoding):
        text = text.replace("{" + GAP + ";", "{" + PLAIN_GAP + ";")
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        pass
    lost = _lost(text, encoding)
    if not replace:
        raise _unencodable(where, encoding, lost)
    notice(
        Text(
            f"{where}: {len(lost):,} characters that {encoding} lacks are written as {_MARK}",
            f"{where}: {encoding} にない {len(lost):,} 文字を {_MARK} として書き出します",
        )
    )
    return text.encode(encoding, errors="replace")


def _lost(text: str, encoding: str) -> list[tuple[int, str]]:
    """Every character that cannot be written, with its line."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if _fits(line, encoding):
            continue
        found += [(number, char) for char in line if not _fits(char, encoding)]
    return found


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _unencodable(where: AnyPath, encoding: str, lost: list[tuple[int, str]]) -> UsageError:
    faults = [
        Fault(
            rule="unencodable",
            line=line,
            message=Text(
                f"line {line}: {encoding} lacks the character U+{ord(char):04X}",
                f"{line} 行目: {encoding} にない文字 U+{ord(char):04X} があります",
            ),
        )
        for line, char in lost[:FAULTS_SHOWN]
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
