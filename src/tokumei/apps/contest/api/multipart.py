"""Streams multipart forms with files to disk, within size limits.

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

from tokumei.apps.contest.services.context import AppContext
from tokumei.apps.contest.services.upload_intake import ReceivedFile, UploadSpool
from tokumei.apps.http.errors import (
    RequestTimeout,
    UnprocessableContent,
    UnsupportedMediaType,
    content_too_large_error,
)
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

MOST_FIELDS = 64 << 10
"""Bytes of everything that is no file, together."""
SILENCE_SECONDS = 60.0
NO_FILE = Message("a file is missing in the form")
PARSER_EVENTS = (
    *("part_begin", "header_field", "header_value", "header_end", "headers_finished"),
    *("part_data", "part_end", "end"),
)
"""What the parser tells of, and `_Parts` hears."""
STALLED_MESSAGE = Message("the upload stopped halfway")


@dataclass
class UploadForm:
    """Text fields by name, and files in the order sent."""

    fields: dict[str, str] = field(default_factory=dict)
    files: list[ReceivedFile] = field(default_factory=list)

    def discard(self) -> None:
        """Remove the files."""
        for file in self.files:
            file.discard()


@asynccontextmanager
async def read_upload_form(
    place: AppContext, request: Request, *, most_bytes: int, most_files: int = 1
) -> AsyncIterator[UploadForm]:
    """The form that a request brings; files of at most `most_bytes` together."""
    form = UploadForm()
    try:
        await _read_multipart(place, request, form, most_bytes, most_files)
    except BaseException:  # also when the client left half-way
        form.discard()
        raise
    try:
        yield form
    except TokumeiError:
        form.discard()
        raise


async def _read_multipart(
    context: AppContext, request: Request, form: UploadForm, most_bytes: int, most_files: int
) -> None:
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise UnsupportedMediaType("send multipart/form-data")
    most = most_bytes + MOST_FIELDS
    content_length = request.headers.get("content-length", "")
    if content_length.isdigit() and int(content_length) > most:
        raise content_too_large_error(most_bytes)
    handler = _MultipartHandler(context, form, most_bytes, most_files)
    parser = _make_parser(options[b"boundary"], handler)
    try:
        await _feed_parser(request, parser, most, most_bytes)
    finally:
        handler.close()
    if not handler.ended:
        raise _unreadable_form()
    now = context.now()
    form.files = [replace(file, at=now) for file in form.files]


async def _feed_parser(
    request: Request, parser: MultipartParser, most: int, shown_limit: int
) -> None:
    size = 0
    stream = request.stream()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(stream, None), SILENCE_SECONDS)
        except TimeoutError:
            raise RequestTimeout(STALLED_MESSAGE) from None
        if chunk is None:
            return
        size += len(chunk)
        if size > most:
            raise content_too_large_error(shown_limit)
        try:
            await run_in_threadpool(parser.write, chunk)
        except (FormParserError, UnicodeDecodeError):
            raise _unreadable_form() from None


def _make_parser(boundary: bytes, handler: _MultipartHandler) -> MultipartParser:
    callbacks: Any = {f"on_{name}": getattr(handler, name) for name in PARSER_EVENTS}
    try:
        return MultipartParser(boundary, callbacks)
    except FormParserError:
        raise _unreadable_form() from None


class _MultipartHandler:
    """Parts of a form as the parser comes upon them."""

    def __init__(
        self, context: AppContext, form: UploadForm, most_bytes: int, most_files: int
    ) -> None:
        self._context, self._form = context, form
        self._bytes_left, self._most_files = most_bytes, most_files
        self._text_left = MOST_FIELDS
        self._spool: UploadSpool | None = None
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
            raise _unreadable_form()
        self._field, self._text = _decode_text(options[b"name"]), bytearray()
        if b"filename" in options:
            if len(self._form.files) >= self._most_files:
                most = self._most_files
                raise UnprocessableContent("send at most {most} files", most=most)
            name = _decode_text(options[b"filename"])
            self._spool = UploadSpool(self._context, name, most_bytes=self._bytes_left)

    def part_data(self, data: bytes, start: int, end: int) -> None:
        if self._spool is not None:
            self._spool.write(data[start:end])
            return
        self._text_left -= end - start
        if self._text_left < 0:
            raise content_too_large_error(MOST_FIELDS)
        self._text += data[start:end]

    def part_end(self) -> None:
        if self._spool is None:
            self._form.fields[self._field] = _decode_text(bytes(self._text))
            return
        file = self._spool.finish()
        self.close()
        self._bytes_left -= file.size
        self._form.files.append(file)

    def end(self) -> None:
        self.ended = True

    def close(self) -> None:
        """Leave nothing half received behind."""
        if self._spool is not None:
            self._spool.close()
            self._spool = None


def _decode_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _unreadable_form() -> UnprocessableContent:
    return UnprocessableContent("this form cannot be read")
