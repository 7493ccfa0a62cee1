"""Detects a file's format by its name, checks it, reads its bytes and hash."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import stat
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import InputError, UsageError, Violation
from tokumei.core.messages import Message, join_messages
from tokumei.files.format_names import (
    EXPECTED_SIGNATURES,
    SIGNATURES,
    UNSUPPORTED_SUFFIXES,
)
from tokumei.files.format_names import FORMAT_BY_SUFFIX as FORMAT_BY_SUFFIX
from tokumei.files.format_names import FileFormat as FileFormat

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

AnyPath = str | os.PathLike[str]

MAX_BYTES = 8 * 2**30
_BLOCK_BYTES = 2**20
_SIGNATURE_BYTES = 64
_START_BYTES = 2**16
STREAM_ABOVE_SHARE = 0.5
"""A table needs about 1.5 times the size of its file, so a file above this share is streamed."""


def detect_format(path: AnyPath, valid: Sequence[str] = tuple(FORMAT_BY_SUFFIX)) -> FileFormat:
    """The format a file's name promises; UsageError, listing `valid`, for any other name."""
    suffix = file_suffix(path)
    if suffix in valid:
        return FORMAT_BY_SUFFIX[suffix]
    suffixes = join_messages(valid)
    if actual_format := UNSUPPORTED_SUFFIXES.get(suffix):
        raise UsageError(
            "{path}: {actual}; the name must end in one of {suffixes}",
            path=path,
            actual=actual_format,
            suffixes=suffixes,
        )
    raise UsageError("{path}: the name must end in one of {suffixes}", path=path, suffixes=suffixes)


def file_suffix(path: AnyPath) -> str:
    """The lower-case ending of a name, both parts of it before `.gz`."""
    parts = [part.lower() for part in Path(path).suffixes]
    return "".join(parts[-2:] if parts[-1:] == [".gz"] else parts[-1:])


def separator_from_name(path: AnyPath) -> str | None:
    """The separator that a file's name promises: a tab in `.tsv`; None if it promises none."""
    return "\t" if file_suffix(path).startswith(".tsv") else None


def input_error(
    path: AnyPath,
    reason: Message,
    *,
    faults: Sequence[Violation] = (),
    total: int | None = None,
) -> InputError:
    """An InputError that begins with the file's name."""
    return InputError("{path}: {reason}", path=path, reason=reason, faults=faults, total=total)


@contextmanager
def translate_read_errors(path: AnyPath) -> Iterator[None]:
    """Turn what the operating system refuses inside the block into an InputError."""
    try:
        yield
    except OSError as err:
        raise input_error(path, _describe_read_error(err)) from None


def check_signature(path: AnyPath, head: bytes, form: FileFormat) -> None:
    """Fail if the first bytes of a file belong to another format than its name says."""
    if not head:
        raise input_error(path, Message("the file is empty"))
    actual_format = next(
        (name for magic, name in SIGNATURES.items() if head.startswith(magic)), None
    )
    expected = EXPECTED_SIGNATURES.get(form)
    if head.startswith(expected) if expected else actual_format is None:
        return
    actual_format = actual_format or Message("something else")
    raise input_error(
        path,
        Message(
            "the file is not what its name says: not {expected} but {actual}",
            expected=form.value,
            actual=actual_format,
        ),
    )


def load_bytes(path: AnyPath, form: FileFormat, max_bytes: int = MAX_BYTES) -> bytes:
    """The content of a file, decompressed if it is gzip, its first bytes and its size checked."""
    with translate_read_errors(path), Path(path).open("rb", buffering=0) as stream:
        data = _read_with_checks(path, stream, form, max_bytes)
    if form is not FileFormat.CSV_GZ:
        return data
    plain = _decompress_gzip(path, data, max_bytes)
    check_signature(path, plain[:_SIGNATURE_BYTES], FileFormat.CSV)
    return plain


ContentGetter = Callable[[], bytes]
"""Gives a file's (decompressed) bytes, which somebody began to read before."""


def read_ahead(
    path: AnyPath, executor: Executor
) -> tuple[ContentGetter | None, Future[str] | None]:
    """Begin to read a file that is plain text, and to digest just those bytes.

    Its content is given once, so that nobody holds it any longer than its reader. No content: it
    must be read in another way. No digest either: a pipe, which must not have two readers.
    """
    if not Path(path).is_file():
        return None, None
    if detect_format(path) is not FileFormat.CSV:
        return None, executor.submit(sha256_of_file, path)
    pending_reads = [executor.submit(load_bytes, path, FileFormat.CSV)]
    return lambda: pending_reads.pop().result(), executor.submit(_hash_content, pending_reads[0])


def _hash_content(content: Future[bytes]) -> str:
    return hashlib.sha256(content.result()).hexdigest()


def read_start_until(path: AnyPath, form: FileFormat, enough: Callable[[bytes], bool]) -> bytes:
    """The beginning of a file's (decompressed) text that is `enough`, or all of it."""
    start, size = b"", _START_BYTES
    opened = gzip.open if form is FileFormat.CSV_GZ else open
    with translate_read_errors(path), opened(path, "rb") as stream:
        while (block := stream.read(size)) and not enough(start := start + block):
            size = len(start)
    return start


def check_size(path: AnyPath, size: int, max_bytes: int) -> None:
    """Fail if `size` bytes are more than allowed."""
    if size > max_bytes:
        raise input_error(
            path,
            Message(
                "the content is larger than the limit of {max_bytes:,} bytes", max_bytes=max_bytes
            ),
        )


def sha256_of_file(path: AnyPath) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with translate_read_errors(path), Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read_with_checks(path: AnyPath, stream: io.FileIO, form: FileFormat, max_bytes: int) -> bytes:
    status = os.fstat(stream.fileno())
    if not stat.S_ISREG(status.st_mode):
        data = _read_limited(path, stream, max_bytes)
        check_signature(path, data[:_SIGNATURE_BYTES], form)
        return data
    check_signature(path, stream.read(_SIGNATURE_BYTES) or b"", form)
    check_size(path, status.st_size, max_bytes)
    stream.seek(0)
    return stream.readall()


def _decompress_gzip(path: AnyPath, data: bytes, max_bytes: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data), mode="rb") as stream:
            return _read_limited(path, stream, max_bytes)
    except EOFError:
        reason = Message("the gzip data ends too early")
    except (gzip.BadGzipFile, zlib.error):
        reason = Message("the gzip data is damaged")
    raise input_error(path, reason)


def _read_limited(path: AnyPath, stream: io.FileIO | gzip.GzipFile, max_bytes: int) -> bytes:
    blocks: list[bytes] = []
    size = 0
    while block := stream.read(_BLOCK_BYTES):
        size += len(block)
        check_size(path, size, max_bytes)
        blocks.append(block)
    return b"".join(blocks)


def _describe_read_error(err: OSError) -> Message:
    known_reasons = {
        errno.ENOENT: Message("no such file"),
        errno.ENOTDIR: Message("no such file"),
        errno.EISDIR: Message("it is a folder, not a file"),
        errno.EACCES: Message("no permission to read it"),
        errno.EPERM: Message("no permission to read it"),
    }
    reason = translate_system_error(err)
    other_reason = Message("it cannot be read: {reason}", reason=reason)
    return known_reasons.get(err.errno or 0, other_reason)


def exceeds_memory(data: str) -> bool:
    """Whether a table would not fit this machine's free memory."""
    path = Path(data)
    return path.is_file() and path.stat().st_size > STREAM_ABOVE_SHARE * free_memory()


def free_memory() -> float:
    """The bytes that can be used without swapping; infinite where the system does not tell."""
    meminfo = Path("/proc/meminfo")
    if not meminfo.exists():
        return float("inf")
    lines = dict(line.split(":", 1) for line in meminfo.read_text(encoding="ascii").splitlines())
    return int(lines["MemAvailable"].split()[0]) * 1024
