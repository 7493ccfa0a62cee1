"""Reads finished files as a stranger would: rows, names, and what stands beside the rows.

    for file in (PublicFile(staged, "y.csv", TableLayout())): ...

An independent reader: it shares no code with what wrote the files, and trusts no type.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast
from xml.etree import ElementTree

import polars as pl

from tokumei.core.release_terms import TableLayout
from tokumei.release_gate.other_files import OTHER_SUFFIXES, read_cells, read_descriptions
from tokumei.release_gate.workbook_days import DayStyles, read_day_styles

BATCH_ROWS = 2**18
LONG_NUMBER = 10**7
"""Whole numbers below it are nobody's."""
_MAX_DEPTH = 100
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_METADATA_PARTS = re.compile(r"docProps/.*\.xml|xl/(?:comments|persons|threadedComments).*\.xml")
_COLUMN_LETTERS = re.compile(r"[A-Z]+")


@dataclass(frozen=True)
class PublicFile:
    """A complete file under its temporary name, and the name that it will get."""

    path: Path
    target: str
    layout: TableLayout | None = None

    @property
    def has_rows(self) -> bool:
        """Whether rows of a table stand in it."""
        return self.layout is not None

    def batches(self, skip: Container[str] = ()) -> Iterator[pl.DataFrame]:
        """The cells as texts, with the columns under their names; some need not be read."""
        assert self.layout is not None
        suffix = self.target.lower()
        if suffix.endswith(".parquet"):
            yield from _read_parquet(self.path)
        elif suffix.endswith(OTHER_SUFFIXES):
            yield from read_cells(self.path, suffix, self.layout.names)
        elif suffix.endswith(".xlsx"):
            yield from _read_workbook(self.path)
        else:
            yield from _read_csv(self.path, self.layout, skip)

    def texts(self, skip: Container[str] = ()) -> Iterator[str]:
        """What stands beside the rows: names of sheets, metadata, what a manifest tells of cells.

        Keys to skip are columns that were released by name.
        """
        suffix = self.target.lower()
        if suffix.endswith(".parquet"):
            for key, value in pl.read_parquet_metadata(self.path).items():
                if key != "ARROW:schema":
                    yield from (key, value)
        elif suffix.endswith(".xlsx"):
            yield from _workbook_texts(self.path)
        elif suffix.endswith(OTHER_SUFFIXES) and self.has_rows:
            yield from read_descriptions(self.path, suffix)
        elif suffix.endswith(".json"):
            manifest = json.loads(self.path.read_bytes())
            if isinstance(manifest, dict):
                yield from _manifest_texts(manifest, skip)


def _read_parquet(path: Path) -> Iterator[pl.DataFrame]:
    frame = pl.scan_parquet(path)
    yield from frame.cast(pl.String, strict=False).collect_batches(chunk_size=BATCH_ROWS)


def _read_csv(path: Path, layout: TableLayout, skip: Container[str]) -> Iterator[pl.DataFrame]:
    """The rows of a text file, cell by cell as texts."""
    with path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    source: Path | bytes = path
    if packed or layout.encoding != "utf-8":
        with cast(BinaryIO, gzip.open(path) if packed else path.open("rb")) as stream:
            text = io.TextIOWrapper(stream, encoding=layout.encoding, newline="").read()
        source = text.encode()
    if not layout.names:
        return
    rows = _scan_text(source, layout, ())
    names = rows.collect_schema().names()
    wanted = [name for name in names if name not in skip]
    yield pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    numbers = [name for name in wanted if name in layout.numbers and names.count(name) == 1]
    for name in _columns_of_numbers(_scan_text(source, layout, numbers), numbers):
        wanted.remove(name)
    if wanted:
        yield from rows.select(wanted).collect_batches(chunk_size=BATCH_ROWS, maintain_order=False)


def _scan_text(source: Path | bytes, layout: TableLayout, numbers: Sequence[str]) -> pl.LazyFrame:
    return pl.scan_csv(
        source,
        separator=layout.sep,
        has_header=layout.header,
        infer_schema=False,
        schema_overrides=dict.fromkeys(numbers, pl.Float64),
        quote_char='"' if layout.quotes else None,
        new_columns=None if layout.header else list(layout.names),
        glob=False,
    )


def _columns_of_numbers(rows: pl.LazyFrame, numbers: Sequence[str]) -> list[str]:
    """The columns whose cells are all short numbers, which identify nobody."""
    if not numbers:
        return []
    long_numbers = [
        ((pl.col(name).abs() >= LONG_NUMBER) & (pl.col(name) == pl.col(name).floor()))
        .any()
        .alias(name)
        for name in numbers
    ]
    try:
        has_long = rows.select(long_numbers).collect(engine="streaming")
    except pl.exceptions.ComputeError:  # some cell is no number: they are read as texts
        return []
    return [name for name in numbers if not has_long.item(0, name)]


def _read_workbook(path: Path) -> Iterator[pl.DataFrame]:
    """The cells of every sheet; the first row of each holds the names."""
    with zipfile.ZipFile(path) as archive:
        shared, days = _shared_texts(archive), read_day_styles(archive)
        for name in sorted(archive.namelist()):
            if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name):
                with archive.open(name) as stream:
                    yield from _sheet_batches(stream, shared, days)


def _sheet_batches(stream: object, shared: list[str], days: DayStyles) -> Iterator[pl.DataFrame]:
    names: list[str] = []
    rows: list[list[str | None]] = []
    for _, element in ElementTree.iterparse(cast(BinaryIO, stream)):
        if element.tag != f"{_MAIN}row":
            continue
        cells = _row_cells(element, shared, days)
        element.clear()
        if not names:
            names = [
                cells.get(place) or f"column{place}" for place in range(max(cells, default=-1) + 1)
            ]
            continue
        rows.append([cells.get(place) for place in range(len(names))])
        if len(rows) >= BATCH_ROWS:
            yield _text_frame(names, rows)
            rows = []
    if names:
        yield _text_frame(names, rows)


def _text_frame(names: list[str], rows: list[list[str | None]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def _row_cells(row: ElementTree.Element, shared: list[str], days: DayStyles) -> dict[int, str]:
    """The texts of a row by their place; numbers as they are stored, days as they are shown."""
    cells: dict[int, str] = {}
    for place, cell in enumerate(row.iter(f"{_MAIN}c")):
        letters = _COLUMN_LETTERS.match(cell.get("r", ""))
        column = _column_number(letters[0]) if letters else place
        value = cell.find(f"{_MAIN}v")
        if cell.get("t") == "inlineStr":
            cells[column] = "".join(part.text or "" for part in cell.iter(f"{_MAIN}t"))
        elif value is not None and value.text is not None:
            is_shared = cell.get("t") == "s"
            cells[column] = (
                shared[int(value.text)] if is_shared else days.text(value.text, cell.get("s", "0"))
            )
    return cells


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _shared_texts(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    with archive.open("xl/sharedStrings.xml") as stream:
        root = ElementTree.parse(stream).getroot()
    items = root.iter(f"{_MAIN}si")
    return ["".join(part.text or "" for part in item.iter(f"{_MAIN}t")) for item in items]


def _workbook_texts(path: Path) -> Iterator[str]:
    """Names of sheets and of ranges, authors, titles, comments, headers and footers."""
    with zipfile.ZipFile(path) as archive:
        book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
        yield from (sheet.get("name", "") for sheet in book.iter(f"{_MAIN}sheet"))
        yield from (name.get("name", "") for name in book.iter(f"{_MAIN}definedName"))
        for part in archive.namelist():
            if _METADATA_PARTS.fullmatch(part):
                root = ElementTree.fromstring(archive.read(part))
                yield from (text for text in root.itertext() if text.strip())


_OWN_KEYS = ("claims", "columns", "provenance", "account", "engine", "version", "rows_sha256")
"""Parts of a manifest that the package itself writes; columns are named in the file of rows."""


def _manifest_texts(manifest: dict[str, object], skip: Container[str]) -> Iterator[str]:
    """The texts of a manifest that come from cells, such as labels of hierarchies."""
    for key, value in manifest.items():
        if key not in _OWN_KEYS:
            yield from _json_texts(value, skip)


def _json_texts(node: object, skip: Container[str], depth: int = 0) -> Iterator[str]:
    if isinstance(node, dict) and depth < _MAX_DEPTH:
        for key, value in node.items():
            if key not in skip:
                yield str(key)
                yield from _json_texts(value, skip, depth + 1)
    elif isinstance(node, list) and depth < _MAX_DEPTH:
        for value in node:
            yield from _json_texts(value, skip, depth + 1)
    elif isinstance(node, str):
        yield node
