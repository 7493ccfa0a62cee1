"""Detects and converts text encodings: UTF-8 (with or without BOM), cp932 and UTF-16.

to_utf8(data, "auto", where="a.csv")      # UTF-8 if it is that exactly, else cp932
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

import polars as pl

from tokumei.core.errors import InputError, UnknownNameError, Violation
from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath, input_error

_CODEC_BY_NAME = {
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
_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BLOCK_BYTES = 2**18
# Python's cp932 gives these single bytes (0x80, 0xA0, 0xFD-0xFF) a meaning; the standard does not.
_UNASSIGNED = re.compile("[\x80\xa0\uf8f1-\uf8f3]")


class _UndecodableByte(Exception):
    """Where a decoder stopped."""

    def __init__(self, codec: str, offset: int, line: int) -> None:
        super().__init__()
        self.codec, self.offset, self.line = codec, offset, line


def to_utf8(data: bytes, encoding: str, *, where: AnyPath) -> bytes:
    """The same text in UTF-8 without BOM; an InputError names the line and byte that is not."""
    codec = resolve_codec(encoding)
    if is_utf16(data, encoding):
        codec = "utf-16" if data.startswith(_UTF16_BOMS) else "utf-16-le"
    try:
        plain = _decode_guessing(data) if codec is None else _to_utf8_if_needed(data, codec)
    except _UndecodableByte as bad:
        raise _undecodable_error(where, bad, codec) from None
    return plain.removeprefix(codecs.BOM_UTF8)


def is_utf16(start: bytes, encoding: str) -> bool:
    """Whether a file that starts so is UTF-16; in all else separators are single ASCII bytes."""
    codec = resolve_codec(encoding)
    return codec == "utf-16" or (codec is None and start.startswith(_UTF16_BOMS))


def resolve_codec(encoding: str) -> str | None:
    """The Python codec behind a name; None for `auto`."""
    name = encoding.lower().replace("_", "-")
    if name == "auto":
        return None
    if name not in _CODEC_BY_NAME:
        raise UnknownNameError(Message("encoding"), encoding, ENCODINGS)
    return _CODEC_BY_NAME[name]


def _decode_guessing(data: bytes) -> bytes:
    try:
        return _to_utf8_if_needed(data, "utf-8")
    except _UndecodableByte as first:
        if data.startswith(codecs.BOM_UTF8):
            raise
        try:
            return _to_utf8_if_needed(data, "cp932")
        except _UndecodableByte as second:
            # The codec that got further is the one the file was most likely meant to be in.
            raise max(first, second, key=lambda bad: bad.offset) from None


def _to_utf8_if_needed(data: bytes, codec: str) -> bytes:
    if data.isascii() and not codec.startswith("utf-16"):
        return data
    if codec == "utf-8" and all(_is_utf8(block) for block in _line_blocks(data)):
        return data
    return _transcode(data, codec)


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
        end = data.find(b"\n", start + _BLOCK_BYTES) + 1 or len(data)
        yield data[start:end]
        start = end


def _transcode(data: bytes, codec: str) -> bytes:
    decoder = codecs.getincrementaldecoder(codec)("strict")
    plain = bytearray()
    for start in range(0, len(data), _BLOCK_BYTES):
        pending_bytes = len(decoder.getstate()[0])
        block = data[start : start + _BLOCK_BYTES]
        try:
            text = decoder.decode(block, final=start + _BLOCK_BYTES >= len(data))
        except UnicodeDecodeError as err:
            raw = err.object[: err.start]
            halves = (raw[0::2], raw[1::2]) if codec.startswith("utf-16") else (raw,)
            preceding = plain.count(b"\n") + max(half.count(b"\n") for half in halves)
            raise _UndecodableByte(
                codec, start - pending_bytes + err.start, preceding + 1
            ) from None
        if codec == "cp932" and (bad := _UNASSIGNED.search(text)):
            preceding = len(text[: bad.start()].encode(codec))
            line = plain.count(b"\n") + text.count("\n", 0, bad.start()) + 1
            raise _UndecodableByte(codec, start - pending_bytes + preceding, line)
        plain += text.encode()
    return bytes(plain)


def _undecodable_error(where: AnyPath, bad_byte: _UndecodableByte, codec: str | None) -> InputError:
    tried = "UTF-8 / cp932 (Shift_JIS)" if codec is None else codec
    location = Message(
        "line {line}, byte offset {offset}: not {codec} text",
        line=bad_byte.line,
        offset=bad_byte.offset,
        codec=bad_byte.codec,
    )
    return input_error(
        where,
        Message("the text is not in {tried}", tried=tried),
        faults=[Violation(rule="encoding", line=bad_byte.line, message=location)],
    )
