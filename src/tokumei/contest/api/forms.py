"""Forms with files: read as they arrive, straight to disk, never more than allowed.

    async with read_form(place, request, most_bytes=most) as form:
        form.fields["label"], form.files          # Received files, all complete

A file that nobody took is gone when the block ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from tokumei.contest.desk.place import Place
from tokumei.contest.desk.receiving import Received, Spool
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import TooSlow, Wrong, WrongContent, too_large

MOST_FIELDS = 64 << 10
"""Bytes of everything that is no file, together."""
SILENCE_SECONDS = 60.0
HEARD = (
    *("part_begin", "header_field", "header_value", "header_end", "headers_finished"),
    *("part_data", "part_end", "end"),
)
"""What the parser tells of, and `_Parts` hears."""
STOPPED = Text("the upload stopped half-way", "アップロードが途中で止まりました")


@dataclass
class Form:
    """Text fields by name, and files in the order sent."""

    fields: dict[str, str] = field(default_factory=dict)
    files: list[Received] = field(default_factory=list)

    def discard(self) -> None:
        """Remove the files."""
        for file in self.files:
            file.discard()


@asynccontextmanager
async def read_form(
    place: Place, request: Request, *, most_bytes: int, most_files: int = 1
) -> AsyncIterator[Form]:
    """The form that a request brings; files of at most `most_bytes` together."""
    form = Form()
    try:
        await _read(place, request, form, most_bytes, most_files)
    except BaseException:  # also when the client left half-way
        form.discard()
        raise
    try:
        yield form
    except TokumeiError:
        form.discard()
        raise


async def _read(
    place: Place, request: Request, form: Form, most_bytes: int, most_files: int
) -> None:
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise WrongContent("send multipart/form-data", "multipart/form-data で送ってください")
    most = most_bytes + MOST_FIELDS
    told = request.headers.get("content-length", "")
    if told.isdigit() and int(told) > most:
        raise too_large(most_bytes)
    parts = _Parts(place, form, most_bytes, most_files)
    parser = _parser(options[b"boundary"], parts)
    try:
        await _feed(request, parser, most, most_bytes)
    finally:
        parts.close()
    if not parts.ended:
        raise _unreadable()
    now = place.now()
    form.files = [replace(file, at=now) for file in form.files]


async def _feed(request: Request, parser: MultipartParser, most: int, told: int) -> None:
    size = 0
    stream = request.stream()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(stream, None), SILENCE_SECONDS)
        except TimeoutError:
            raise TooSlow(STOPPED) from None
        if chunk is None:
            return
        size += len(chunk)
        if size > most:
            raise too_large(told)
        try:
            await run_in_threadpool(parser.write, chunk)
        except (FormParserError, UnicodeDecodeError):
            raise _unreadable() from None


def _parser(boundary: bytes, parts: _Parts) -> MultipartParser:
    heard: Any = {f"on_{name}": getattr(parts, name) for name in HEARD}
    try:
        return MultipartParser(boundary, heard)
    except FormParserError:
        raise _unreadable() from None


class _Parts:
    """Parts of a form as the parser comes upon them."""

    def __init__(self, place: Place, form: Form, most_bytes: int, most_files: int) -> None:
        self._place, self._form = place, form
        self._left, self._most_files = most_bytes, most_files
        self._text_left = MOST_FIELDS
        self._spool: Spool | None = None
        self.ended = False

    def part_begin(self) -> None:
        self._headers: dict[bytes, bytes] = {}
        self._name = self._value = b""

    def header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def header_end(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name = self._value = b""

    def headers_finished(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition"))
        if b"name" not in options:
            raise _unreadable()
        self._field, self._text = _shown(options[b"name"]), bytearray()
        if b"filename" in options:
            if len(self._form.files) >= self._most_files:
                most = self._most_files
                raise Wrong(f"at most {most} files", f"ファイルは {most} 個までです")
            name = _shown(options[b"filename"])
            self._spool = Spool(self._place, name, most_bytes=self._left)

    def part_data(self, data: bytes, start: int, end: int) -> None:
        if self._spool is not None:
            self._spool.write(data[start:end])
            return
        self._text_left -= end - start
        if self._text_left < 0:
            raise too_large(MOST_FIELDS)
        self._text += data[start:end]

    def part_end(self) -> None:
        if self._spool is None:
            self._form.fields[self._field] = _shown(bytes(self._text))
            return
        file = self._spool.finish()
        self.close()
        self._left -= file.size
        self._form.files.append(file)

    def end(self) -> None:
        self.ended = True

    def close(self) -> None:
        """Leave nothing half received behind."""
        if self._spool is not None:
            self._spool.close()
            self._spool = None


def _shown(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _unreadable() -> Wrong:
    return Wrong("this form cannot be read", "フォームを読み取れません")
