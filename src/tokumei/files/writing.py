"""Tables, links and texts to files, each whole or not at all.

write_frame(release.public.frame, "public.csv")
write_all([frame_output(frame, "public.csv"), link_output(link, "secret.csv")])
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import BinaryIO, cast

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.files.atomic import Output, write_all
from tokumei.files.compact import as_text
from tokumei.files.containers import SUFFIXES, AnyPath, Format, format_of
from tokumei.files.csv_text import check_separator
from tokumei.files.links import COLUMNS, link_format

__all__ = [
    "Output",
    "bytes_output",
    "frame_output",
    "link_output",
    "text_output",
    "write_all",
    "write_bytes",
    "write_frame",
    "write_link",
    "write_text",
]

WRITABLE = tuple(suffix for suffix, form in SUFFIXES.items() if form is not Format.XLSX)


def write_frame(frame: pl.DataFrame, path: AnyPath, *, sep: str = ",") -> None:
    """A frame as `.csv`, `.csv.gz` or `.parquet`; equal frames give equal bytes."""
    write_all([frame_output(frame, path, sep=sep)])


def write_link(link: np.ndarray, path: AnyPath) -> None:
    """The secret link as CSV `released,original`, readable by its owner only."""
    write_all([link_output(link, path)])


def write_text(text: str, path: AnyPath, *, secret: bool = False) -> None:
    """A text in UTF-8."""
    write_all([text_output(text, path, secret=secret)])


def write_bytes(data: bytes, path: AnyPath, *, secret: bool = False) -> None:
    """Bytes as they are; with `secret` readable by the owner only."""
    write_all([bytes_output(data, path, secret=secret)])


def frame_output(frame: pl.DataFrame, path: AnyPath, *, sep: str = ",") -> Output:
    """What `write_frame` writes, for `write_all`."""
    form = format_of(path, WRITABLE)
    _require_flat(frame, path)
    if form is Format.PARQUET:
        return Output(path, lambda stream: as_text(frame).write_parquet(stream))
    return Output(path, _csv_writer(frame, form, check_separator(sep)))


def link_output(link: np.ndarray, path: AnyPath) -> Output:
    """What `write_link` writes, for `write_all`."""
    columns = (np.arange(len(link), dtype=np.int64), np.asarray(link, dtype=np.int64))
    frame = pl.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    return Output(path, _csv_writer(frame, link_format(path), ","), secret=True)


def text_output(text: str, path: AnyPath, *, secret: bool = False) -> Output:
    """What `write_text` writes, for `write_all`."""
    return bytes_output(text.encode(), path, secret=secret)


def bytes_output(data: bytes, path: AnyPath, *, secret: bool = False) -> Output:
    """What `write_bytes` writes, for `write_all`."""
    return Output(path, lambda stream: stream.write(data), secret)


def _csv_writer(frame: pl.DataFrame, form: Format, sep: str) -> Callable[[BinaryIO], None]:
    def plain(stream: BinaryIO) -> None:
        frame.write_csv(stream, separator=sep)

    def packed(stream: BinaryIO) -> None:
        # Neither name nor time goes into the header: equal frames, equal bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as unpacked:
            frame.write_csv(cast(BinaryIO, unpacked), separator=sep)

    return packed if form is Format.CSV_GZ else plain


def _require_flat(frame: pl.DataFrame, path: AnyPath) -> None:
    for name, dtype in frame.schema.items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise UsageError(
                f"{path}: column '{name}' holds {dtype}; a cell must hold one value",
                f"{path}: 列 '{name}' の型は {dtype} です。"
                "一つのセルには一つの値しか書き込めません",
            )
