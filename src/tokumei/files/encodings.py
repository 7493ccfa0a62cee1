"""Text encodings: UTF-8 (with or without BOM), cp932 (Shift_JIS) and UTF-16, all made UTF-8.

to_utf8(data, "auto", where="a.csv")      # UTF-8 if it is that exactly, else cp932
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

import polars as pl

from tokumei.core.errors import Fault, InputError, UnknownNameError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, input_error

_CODECS = {
    "utf-8": "utf-8",
    "utf-8-sig": "utf-8",
    "utf8": "utf-8",
    "cp932": "cp932",
    "ms932": "cp932",
    "windows-31j": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "utf-16": "utf-16",
}
ENCODINGS = ("auto", "utf-8", "utf-8-sig", "cp932", "shift_jis", "utf-16")
_BOM16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BLOCK = 2**18
# Python's cp932 gives these single bytes (0x80, 0xA0, 0xFD-0xFF) a meaning; the standard does not.
_UNASSIGNED = re.compile("[\x80\xa0\uf8f1-\uf8f3]")


class _BadByte(Exception):
    """Where a decoder stopped."""

    def __init__(self, codec: str, offset: int, line: int) -> None:
        super().__init__()
        self.codec, self.offset, self.line = codec, offset, line


def to_utf8(data: bytes, encoding: str, *, where: AnyPath) -> bytes:
    """The same text in UTF-8 without BOM; an InputError names the line and byte that is not."""
    codec = codec_of(encoding)
    if is_utf16(data, encoding):
        codec = "utf-16" if data.startswith(_BOM16) else "utf-16-le"
    try:
        plain = _guessed(data) if codec is None else _decoded(data, codec)
    except _BadByte as bad:
        raise _undecodable(where, bad, codec) from None
    return plain.removeprefix(codecs.BOM_UTF8)


def is_utf16(start: bytes, encoding: str) -> bool:
    """Whether a file that starts so is UTF-16; in all else separators are single ASCII bytes."""
    codec = codec_of(encoding)
    return codec == "utf-16" or (codec is None and start.startswith(_BOM16))


def codec_of(encoding: str) -> str | None:
    """The Python codec behind a name; None for `auto`."""
    name = encoding.lower().replace("_", "-")
    if name == "auto":
        return None
    if name not in _CODECS:
        raise UnknownNameError(Text("encoding", "文字コード"), encoding, ENCODINGS)
    return _CODECS[name]


def _guessed(data: bytes) -> bytes:
    try:
        return _decoded(data, "utf-8")
    except _BadByte as first:
        if data.startswith(codecs.BOM_UTF8):
            raise
        try:
            return _decoded(data, "cp932")
        except _BadByte as second:
            # The codec that got further is the one the file was most likely meant to be in.
            raise max(first, second, key=lambda bad: bad.offset) from None


def _decoded(data: bytes, codec: str) -> bytes:
    if data.isascii() and not codec.startswith("utf-16"):
        return data
    if codec == "utf-8" and all(_is_utf8(block) for block in _line_blocks(data)):
        return data
    return _recoded(data, codec)


def _is_utf8(block: bytes) -> bool:
    # Polars checks UTF-8 several times faster than bytes.decode does.
    try:
        pl.Series([block], dtype=pl.Binary).cast(pl.String)
    except pl.exceptions.PolarsError:
        return False
    return True


def _line_blocks(data: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        yield data[start:end]
        start = end


def _recoded(data: bytes, codec: str) -> bytes:
    decoder = codecs.getincrementaldecoder(codec)("strict")
    plain = bytearray()
    for start in range(0, len(data), _BLOCK):
        held = len(decoder.getstate()[0])
        block = data[start : start + _BLOCK]
        try:
            text = decoder.decode(block, final=start + _BLOCK >= len(data))
        except UnicodeDecodeError as err:
            raw = err.object[: err.start]
            halves = (raw[0::2], raw[1::2]) if codec.startswith("utf-16") else (raw,)
            before = plain.count(b"\n") + max(half.count(b"\n") for half in halves)
            raise _BadByte(codec, start - held + err.start, before + 1) from None
        if codec == "cp932" and (bad := _UNASSIGNED.search(text)):
            before = len(text[: bad.start()].encode(codec))
            line = plain.count(b"\n") + text.count("\n", 0, bad.start()) + 1
            raise _BadByte(codec, start - held + before, line)
        plain += text.encode()
    return bytes(plain)


def _undecodable(where: AnyPath, bad: _BadByte, codec: str | None) -> InputError:
    tried = "UTF-8 / cp932 (Shift_JIS)" if codec is None else codec
    place = Text(
        f"line {bad.line}, byte offset {bad.offset}: not {bad.codec} text",
        f"{bad.line} 行目 (先頭から {bad.offset} バイト目): {bad.codec} として読めません",
    )
    return input_error(
        where,
        f"the text is not in {tried}",
        f"文字コードが {tried} ではありません",
        faults=[Fault(rule="encoding", line=bad.line, message=place)],
    )
