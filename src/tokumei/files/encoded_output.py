"""Writes text in another encoding; characters it lacks are reported by line, or replaced."""

from __future__ import annotations

import codecs
import re

import polars as pl
import polars.selectors as cs

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, UsageError, Violation
from tokumei.core.fields import field_value
from tokumei.core.generalized_cells import MISSING_SIGN, MISSING_WORD
from tokumei.core.messages import Message
from tokumei.core.progress import send_notice
from tokumei.files.file_formats import AnyPath

_REPLACEMENT = "?"
_TEXT_ENCODINGS = re.compile(
    r"utf_(?:8|8_sig|16|16_le|16_be|32|32_le|32_be)|ascii|latin_1|iso8859_\d+|cp\d+|kz1048|ptcp154"
    r"|koi8_\w|mac_\w+|tis_620|big5(?:hkscs)?|gb2312|gbk|gb18030|hz|johab|euc_\w+"
    r"|shift_jis\w*|iso2022_\w+"
)
"""Encodings in which people exchange text: no transformations such as rot13, base64 or punycode."""


def resolve_output_codec(encoding: str) -> str:
    """The encoding as Python calls it; fails if no text encoding has that name."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        name = ""
    if not _TEXT_ENCODINGS.fullmatch(name.replace("-", "_")):
        raise UsageError(
            "'{encoding}' is not a known encoding (cp932, utf-8, euc-jp, latin-1 …)",
            encoding=encoding,
        )
    return name


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


def replace_unencodable_cells(frame: pl.DataFrame, encoding: str) -> pl.DataFrame | None:
    """The frame as it reads after characters that an encoding lacks became question marks.

    None: every cell stays as it is.
    """
    codec, changed = resolve_output_codec(encoding), list[pl.Series]()
    for series in frame.select(cs.string() | cs.categorical() | cs.enum()):
        texts = series.cast(pl.String)
        cells = texts.unique().drop_nulls()
        read = [text.encode(codec, errors="replace").decode(codec) for text in cells]
        if read != cells.to_list():
            changed.append(texts.replace(cells, pl.Series(read, dtype=pl.String)))
    return frame.with_columns(changed) if changed else None


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
