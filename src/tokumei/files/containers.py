"""Files before their content is understood: format by name, checks, bytes, hash."""

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
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.core.errors import Fault, InputError, UsageError
from tokumei.core.reasons import system_reason
from tokumei.core.text import Text

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

AnyPath = str | os.PathLike[str]

MAX_BYTES = 8 * 2**30
_BLOCK = 2**20
_HEAD = 64
_START = 2**16
STREAM_ABOVE = 0.5
"""A table needs about 1.5 times the size of its file, so a file above this share is streamed."""


class Format(StrEnum):
    """How a file is laid out."""

    CSV = "CSV"
    CSV_GZ = "gzip"
    PARQUET = "Parquet"
    XLSX = "Excel (.xlsx)"


SUFFIXES = {
    ".csv": Format.CSV,
    ".csv.gz": Format.CSV_GZ,
    ".tsv": Format.CSV,
    ".tsv.gz": Format.CSV_GZ,
    ".txt": Format.CSV,
    ".txt.gz": Format.CSV_GZ,
    ".parquet": Format.PARQUET,
    ".xlsx": Format.XLSX,
}

_SIGNATURES = {
    b"PAR1": Text("Parquet", "Parquet"),
    b"PK\x03\x04": Text("a zip archive", "zip"),
    b"PK\x05\x06": Text("a zip archive", "zip"),
    b"\x1f\x8b": Text("gzip", "gzip"),
    b"%PDF-": Text("PDF", "PDF"),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": Text(
        "an old or password-protected Office file", "旧形式またはパスワード付きの Office ファイル"
    ),
    b"\x89PNG\r\n\x1a\n": Text("PNG", "PNG"),
    b"\xff\xd8\xff": Text("JPEG", "JPEG"),
    b"\x28\xb5\x2f\xfd": Text("zstd", "zstd"),
    b"\xfd7zXZ\x00": Text("xz", "xz"),
    b"7z\xbc\xaf\x27\x1c": Text("7-Zip", "7-Zip"),
    b"\x7fELF": Text("a program", "実行ファイル"),
    b"SQLite format 3\x00": Text("SQLite", "SQLite"),
}
_EXPECTED = {Format.CSV_GZ: b"\x1f\x8b", Format.PARQUET: b"PAR1", Format.XLSX: b"PK\x03\x04"}


FOREIGN = {
    ".xls": Text("an old Excel workbook (save it as .xlsx)", "旧形式の Excel (.xlsx で保存し直す)"),
    ".xlsb": Text("a binary Excel workbook (save it as .xlsx)", "Excel バイナリ (.xlsx で保存)"),
    ".ods": Text("an OpenDocument sheet (save it as .xlsx)", "OpenDocument (.xlsx で保存し直す)"),
    ".numbers": Text("an Apple Numbers sheet (export it as CSV)", "Numbers (CSV に書き出す)"),
    ".pdf": Text("PDF, which holds no table that could be read", "PDF (表として読めません)"),
}
"""What other names promise, and what can be done about it."""


def format_of(path: AnyPath, valid: Sequence[str] = tuple(SUFFIXES)) -> Format:
    """The format a file's name promises; UsageError, listing `valid`, for any other name."""
    suffix = suffix_of(path)
    if suffix in valid:
        return SUFFIXES[suffix]
    listed = ", ".join(valid)
    what = FOREIGN.get(suffix, Text("", ""))
    en, ja = (f"{what.en}; " if what.en else ""), (f"{what.ja}。" if what.ja else "")
    raise UsageError(
        f"{path}: {en}the name must end in one of {listed}",
        f"{path}: {ja}ファイル名の末尾は次のいずれかにしてください: {listed}",
    )


def suffix_of(path: AnyPath) -> str:
    """The lower-case ending of a name, both parts of it before `.gz`."""
    parts = [part.lower() for part in Path(path).suffixes]
    return "".join(parts[-2:] if parts[-1:] == [".gz"] else parts[-1:])


def own_separator(path: AnyPath) -> str | None:
    """The separator that a file's name promises: a tab in `.tsv`; None if it promises none."""
    return "\t" if suffix_of(path).startswith(".tsv") else None


def input_error(
    path: AnyPath,
    reason: Text | str,
    ja: str = "",
    *,
    faults: Sequence[Fault] = (),
    total: int | None = None,
) -> InputError:
    """An InputError that begins with the file's name; `reason` is one `Text`, or two sentences."""
    en, ja = reason if isinstance(reason, Text) else (reason, ja)
    return InputError(f"{path}: {en}", f"{path}: {ja}", faults=faults, total=total)


@contextmanager
def reading(path: AnyPath) -> Iterator[None]:
    """Turn what the operating system refuses inside the block into an InputError."""
    try:
        yield
    except OSError as err:
        raise input_error(path, _refusal(err)) from None


def check_content(path: AnyPath, head: bytes, form: Format) -> None:
    """Fail if the first bytes of a file belong to another format than its name says."""
    if not head:
        raise input_error(path, "the file is empty", "ファイルが空です")
    found = next((name for magic, name in _SIGNATURES.items() if head.startswith(magic)), None)
    expected = _EXPECTED.get(form)
    if head.startswith(expected) if expected else found is None:
        return
    found = found or Text("something else", "別の形式")
    raise input_error(
        path,
        f"the file is not what its name says: not {form.value} but {found.en}",
        f"中身がファイル名と合いません。{form.value} ではなく{found.ja}です",
    )


def load_bytes(path: AnyPath, form: Format, max_bytes: int = MAX_BYTES) -> bytes:
    """The content of a file, decompressed if it is gzip, its first bytes and its size checked."""
    with reading(path), Path(path).open("rb", buffering=0) as stream:
        data = _read_checked(path, stream, form, max_bytes)
    if form is not Format.CSV_GZ:
        return data
    plain = _gunzip(path, data, max_bytes)
    check_content(path, plain[:_HEAD], Format.CSV)
    return plain


Content = Callable[[], bytes]
"""Gives a file's (decompressed) bytes, which somebody began to read before."""


def read_ahead(path: AnyPath, beside: Executor) -> tuple[Content | None, Future[str] | None]:
    """Begin to read a file that is plain text, and to digest just those bytes.

    Its content is given once, so that nobody holds it any longer than its reader. No content: it
    must be read in another way. No digest either: a pipe, which must not have two readers.
    """
    if not Path(path).is_file():
        return None, None
    if format_of(path) is not Format.CSV:
        return None, beside.submit(sha256, path)
    begun = [beside.submit(load_bytes, path, Format.CSV)]
    return lambda: begun.pop().result(), beside.submit(_digest, begun[0])


def _digest(content: Future[bytes]) -> str:
    return hashlib.sha256(content.result()).hexdigest()


def read_until(path: AnyPath, form: Format, enough: Callable[[bytes], bool]) -> bytes:
    """The beginning of a file's (decompressed) text that is `enough`, or all of it."""
    start, size = b"", _START
    opened = gzip.open if form is Format.CSV_GZ else open
    with reading(path), opened(path, "rb") as stream:
        while (block := stream.read(size)) and not enough(start := start + block):
            size = len(start)
    return start


def check_size(path: AnyPath, size: int, max_bytes: int) -> None:
    """Fail if `size` bytes are more than allowed."""
    if size > max_bytes:
        raise input_error(
            path,
            f"the content is larger than the limit of {max_bytes:,} bytes",
            f"内容が上限の {max_bytes:,} バイトを超えています",
        )


def sha256(path: AnyPath) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with reading(path), Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read_checked(path: AnyPath, stream: io.FileIO, form: Format, max_bytes: int) -> bytes:
    status = os.fstat(stream.fileno())
    if not stat.S_ISREG(status.st_mode):
        data = _read_limited(path, stream, max_bytes)
        check_content(path, data[:_HEAD], form)
        return data
    check_content(path, stream.read(_HEAD) or b"", form)
    check_size(path, status.st_size, max_bytes)
    stream.seek(0)
    return stream.readall()


def _gunzip(path: AnyPath, data: bytes, max_bytes: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data), mode="rb") as stream:
            return _read_limited(path, stream, max_bytes)
    except EOFError:
        reason = Text("the gzip data ends too early", "gzip データが途中で切れています")
    except (gzip.BadGzipFile, zlib.error):
        reason = Text("the gzip data is damaged", "gzip データが壊れています")
    raise input_error(path, reason)


def _read_limited(path: AnyPath, stream: io.FileIO | gzip.GzipFile, max_bytes: int) -> bytes:
    blocks: list[bytes] = []
    size = 0
    while block := stream.read(_BLOCK):
        size += len(block)
        check_size(path, size, max_bytes)
        blocks.append(block)
    return b"".join(blocks)


def _refusal(err: OSError) -> Text:
    known = {
        errno.ENOENT: Text("no such file", "ファイルがありません"),
        errno.ENOTDIR: Text("no such file", "ファイルがありません"),
        errno.EISDIR: Text("is a directory, not a file", "ファイルではなくディレクトリです"),
        errno.EACCES: Text("no permission to read it", "読み取りが許可されていません"),
        errno.EPERM: Text("no permission to read it", "読み取りが許可されていません"),
    }
    reason = system_reason(err)
    other = Text(f"cannot be read: {reason.en}", f"読み取れません: {reason.ja}")
    return known.get(err.errno or 0, other)


def too_large(data: str) -> bool:
    """Whether a table would not fit this machine's free memory."""
    path = Path(data)
    return path.is_file() and path.stat().st_size > STREAM_ABOVE * free_memory()


def free_memory() -> float:
    """The bytes that can be used without swapping; infinite where the system does not tell."""
    found = Path("/proc/meminfo")
    if not found.exists():
        return float("inf")
    lines = dict(line.split(":", 1) for line in found.read_text(encoding="ascii").splitlines())
    return int(lines["MemAvailable"].split()[0]) * 1024
