"""Tables, links and texts to files, each whole or not at all; and links read again.

write_frame(release.public.frame, "public.csv")
write_all([frame_output(frame, "public.csv"), link_output(link, "secret.csv")])

The secret link is CSV `released,original`, row numbers from 0. No message shows a value of it: the
lines are named, and nothing of what they hold.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, Literal, cast

import numpy as np
import polars as pl

from tokumei.core.errors import FAULTS_SHOWN, Fault, UsageError
from tokumei.core.text import Text
from tokumei.files.atomic import Output, write_all
from tokumei.files.compact import as_text, is_compact, words
from tokumei.files.containers import (
    AnyPath,
    Format,
    format_of,
    input_error,
    load_bytes,
    own_separator,
    suffix_of,
)
from tokumei.files.csv_text import CsvRows, check_separator, parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.files.text_out import check_codec, encoded
from tokumei.files.workbooks import workbook_writer

COLUMNS = ("released", "original")
_NOT_CSV = (".parquet", ".xlsx")
_REPEATED = Text("the row number is already on an earlier line", "同じ行番号が前の行にもあります")
Quotes = Literal["necessary", "never"]


def read_link(path: AnyPath, released: int, original: int) -> np.ndarray:
    """The original row of every released row, from a file with one line per released row."""
    data = to_utf8(load_bytes(path, link_format(path)), "auto", where=path)
    rows = parse_csv(data, sep=",", where=path, expected=COLUMNS)
    to, of = (_row_numbers(rows.frame[name]) for name in COLUMNS)
    _require_one_to_one(rows, to, of, (released, original), path)
    link = np.empty(released, dtype=np.int64)
    link[to] = of
    return link


def link_format(path: AnyPath) -> Format:
    """A link is CSV whatever its name, compressed if that ends in `.gz`."""
    suffix = suffix_of(path)
    if suffix in _NOT_CSV:
        raise UsageError(
            f"{path}: a link is CSV, not {suffix}",
            f"{path}: 対応表は CSV です ({suffix} は使えません)",
        )
    return Format.CSV_GZ if suffix.endswith(".gz") else Format.CSV


def _row_numbers(series: pl.Series) -> np.ndarray:
    """Cells as numbers, -1 for whatever is none."""
    plain = series.str.contains("^(0|[1-9][0-9]*)$").fill_null(False)
    numbers = series.set(~plain, None).cast(pl.Int64, strict=False)
    return numbers.fill_null(-1).to_numpy()


def _require_one_to_one(
    rows: CsvRows, to: np.ndarray, of: np.ndarray, limits: tuple[int, int], path: AnyPath
) -> None:
    found: list[tuple[np.ndarray, Callable[[int], Fault]]] = []
    for column, numbers, limit in zip(COLUMNS, (to, of), limits, strict=True):
        outside = Text(
            f"not a row number from 0 to {limit - 1}",
            f"0 から {limit - 1} までの行番号ではありません",
        )
        wrong = np.flatnonzero((numbers < 0) | (numbers >= limit))
        found.append((wrong, partial(_fault, rows, column, outside)))
        first = np.zeros(len(numbers), dtype=bool)
        first[np.unique(numbers, return_index=True)[1]] = True
        again = np.flatnonzero(~first & (numbers >= 0))
        found.append((again, partial(_fault, rows, column, _REPEATED)))
    found.append((np.setdiff1d(np.arange(limits[0]), to), _missing_fault))
    faults = [make(int(row)) for wrong, make in found for row in wrong[:FAULTS_SHOWN]]
    if faults:
        raise input_error(
            path,
            "the link cannot be used",
            "対応表が使えません",
            faults=sorted(faults, key=lambda fault: fault.line or 2**62),
            total=sum(len(wrong) for wrong, _ in found),
        )


def _fault(rows: CsvRows, column: str, wrong: Text, row: int) -> Fault:
    line = rows.line_of(row)
    message = Text(
        f"line {line}, column '{column}': {wrong.en}", f"{line} 行目、列 '{column}': {wrong.ja}"
    )
    return Fault(rule="link", line=line, column=column, message=message)


def _missing_fault(row: int) -> Fault:
    message = Text(
        f"released row {row} has no line", f"匿名加工データの {row} 行 (0 始まり) がありません"
    )
    return Fault(rule="link", column=COLUMNS[0], message=message)


def write_frame(frame: pl.DataFrame, path: AnyPath, *, sep: str = ",") -> None:
    """A frame as `.csv`, `.csv.gz`, `.parquet` or `.xlsx`; equal frames give equal bytes.

    A file called `.tsv` has tabs, whatever `sep` says: whoever reads it will think so too.
    """
    write_all([frame_output(frame, path, sep=sep)])


def write_text(text: str, path: AnyPath) -> None:
    """A text in UTF-8."""
    write_all([text_output(text, path)])


def write_bytes(data: bytes, path: AnyPath, *, secret: bool = False) -> None:
    """Bytes as they are; with `secret` readable by the owner only."""
    write_all([bytes_output(data, path, secret=secret)])


def frame_output(
    frame: pl.DataFrame,
    path: AnyPath,
    *,
    sep: str = ",",
    bom: bool = False,
    sheet: str | None = None,
    encoding: str | None = None,
    replace_unencodable: bool = False,
) -> Output:
    """What `write_frame` writes, for `write_all`; `bom`: CSV that Excel takes for UTF-8.

    `sheet` names the sheet of a workbook, `encoding` that of a text if it is not to be UTF-8.
    """
    form = format_of(path)
    _require_used(path, form, sheet=sheet, encoding=encoding, bom=bom or None)
    _require_flat(frame, path)
    if form is Format.PARQUET:
        return Output(path, lambda stream: as_text(frame).write_parquet(stream))
    if form is Format.XLSX:
        return Output(path, workbook_writer(as_text(frame), path, sheet))
    sep = own_separator(path) or check_separator(sep)
    if encoding is not None:
        return Output(path, _other_text(frame, path, sep, encoding, replace_unencodable))
    return Output(path, _csv_writer(frame, form, sep, bom=bom))


def link_output(link: np.ndarray, path: AnyPath) -> Output:
    """The secret link as CSV `released,original`, readable by its owner only, for `write_all`."""
    columns = (np.arange(len(link), dtype=np.int64), np.asarray(link, dtype=np.int64))
    frame = pl.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    return Output(path, _csv_writer(frame, link_format(path), ","), secret=True)


def text_output(text: str, path: AnyPath, *, secret: bool = False) -> Output:
    """What `write_text` writes, for `write_all`."""
    return bytes_output(text.encode(), path, secret=secret)


def bytes_output(data: bytes, path: AnyPath, *, secret: bool = False) -> Output:
    """What `write_bytes` writes, for `write_all`."""
    return Output(path, lambda stream: stream.write(data), secret)


def _require_used(path: AnyPath, form: Format, **given: object) -> None:
    """Fail if something was said of a text or a workbook that is none."""
    book = form is Format.XLSX
    wrong = [
        name
        for name, value in given.items()
        if value is not None and (name == "sheet") is not book
        and (name != "bom" or form is Format.PARQUET)
    ]  # fmt: skip
    if wrong:
        raise UsageError(
            f"{path}: {', '.join(wrong)} cannot be chosen for a file of this kind",
            f"{path}: この形式のファイルでは {', '.join(wrong)} を指定できません",
        )


def _other_text(
    frame: pl.DataFrame, path: AnyPath, sep: str, encoding: str, replace: bool
) -> Callable[[BinaryIO], None]:
    codec = check_codec(encoding)
    if link_format(path) is Format.CSV_GZ:
        raise UsageError(
            f"{path}: an encoding can be chosen for plain text files only",
            f"{path}: 文字コードは圧縮しないテキストにだけ指定できます",
        )

    def write(stream: BinaryIO) -> None:
        text = frame.write_csv(separator=sep)
        stream.write(encoded(text, codec, where=path, replace=replace))

    return write


def _csv_writer(
    frame: pl.DataFrame, form: Format, sep: str, *, bom: bool = False
) -> Callable[[BinaryIO], None]:
    def plain(stream: BinaryIO) -> None:
        # Looking for what needs quotation marks takes half of the time.
        quotes: Quotes = "never" if _is_plain(frame, sep) else "necessary"
        frame.write_csv(stream, separator=sep, include_bom=bom, quote_style=quotes)

    def packed(stream: BinaryIO) -> None:
        # Neither name nor time goes into the header: equal frames, equal bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as unpacked:
            plain(cast(BinaryIO, unpacked))

    return packed if form is Format.CSV_GZ else plain


def _is_plain(frame: pl.DataFrame, sep: str) -> bool:
    """Whether numbers and dictionaries tell that no name and no cell needs a quotation mark."""
    compact = [name for name, dtype in frame.schema.items() if is_compact(dtype)]
    numbers = [name for name, dtype in frame.schema.items() if dtype.is_integer()]
    # In a single column, an empty cell would be an empty line.
    if frame.width < 2 or len(compact) + len(numbers) < frame.width:
        return False
    texts = (pl.Series(frame.columns), *(words(frame[name]) for name in compact))
    special = [sep, '"', "\r", "\n"]
    return not any(((one == "") | one.str.contains_any(special)).any() for one in texts)


def _require_flat(frame: pl.DataFrame, path: AnyPath) -> None:
    for name, dtype in frame.schema.items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise UsageError(
                f"{path}: column '{name}' holds {dtype}; a cell must hold one value",
                f"{path}: 列 '{name}' の型は {dtype} です。"
                "一つのセルには一つの値しか書き込めません",
            )
