"""The cells of a file as whoever opens it sees them: CSV, Parquet or an Excel workbook.

    table = read_cells("public.csv")
    table.names, table.rows[0]

A CSV cell is text and nothing else. A Parquet or Excel cell is a value; `to_trimmed_text` says how
it reads. A missing value reads like empty text, because in a CSV file it is that.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import re
import unicodedata
import zipfile
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

csv.field_size_limit(2**31 - 1)
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_DATES = {*range(14, 23), *range(45, 48)}
"""Numbers of Excel's own formats that show a moment."""
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_DAY = re.compile(
    "([12][0-9]{3})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?(?:t?00:00(?::00(?:[.]0+)?)?)?"
)
MISSING_WORDS = ("na", "n/a", "#n/a", "<na>", "nan", "null")
_IGNORABLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Characters that are drawn as nothing (Unicode: default-ignorable; and an empty braille cell)."""
_ZERO_DAY = datetime(1899, 12, 30)


@dataclass(frozen=True)
class Cells:
    """The names of the columns, and every row as values; text in CSV files."""

    names: list[str]
    rows: list[list[object]]

    def column(self, name: str) -> list[object]:
        place = self.names.index(name)
        return [row[place] for row in self.rows]

    def texts(self, names: list[str]) -> list[tuple[str, ...]]:
        """The cells of some columns as text, row by row."""
        places = [self.names.index(name) for name in names]
        return [tuple(text_of(row[place]) for place in places) for row in self.rows]

    def values(self, names: list[str]) -> list[tuple[object, ...]]:
        """The cells of some columns, missing and empty text told apart, 0 and -0 not."""
        places = [self.names.index(name) for name in names]
        return [tuple(_value_key(row[place]) for place in places) for row in self.rows]

    def numbers(self, names: list[str]) -> list[tuple[object, ...]]:
        """The cells of some columns; those that hold nothing but numbers in text, as numbers."""
        columns = [_as_numbers(self.column(name)) for name in names]
        return list(zip(*columns, strict=True))

    def words(self, names: list[str]) -> list[tuple[object, ...]]:
        """The cells of some columns; text as a person sees it."""
        return [tuple(map(word_of, row)) for row in self.values(names)]


def read_cells(path: str | Path, sep: str = ",") -> Cells:
    name = str(path).lower()
    if name.endswith(".parquet"):
        return _parquet(path)
    if name.endswith(".xlsx"):
        return _xlsx(path)
    data = Path(path).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8-sig")
    lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=sep, strict=True))
    # In a file of one column an empty cell is an empty line, which the reader gives no field.
    rows: list[list[object]] = [list(line) or [""] for line in lines[1:]]
    if any(len(row) != len(lines[0]) for row in rows):
        raise ValueError(f"{path}: a row has another number of cells than the header")
    return Cells(lines[0], rows)


def read_original(path: str | Path, sep: str = ",") -> Cells:
    """The cells that a release came from; lines and sheet rows without any cell are no rows."""
    cells = read_cells(path, sep)
    if str(path).lower().endswith(".parquet"):
        return cells
    filled = [row for row in cells.rows if any(text_of(value) for value in row)]
    return Cells(cells.names, filled)


def text_of(value: object) -> str:
    """How a value (or its key) reads; of a number the shortest text that gives it back."""
    if isinstance(value, tuple):
        value = value[1] if value[0] == "bool" else None
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def word_of(value: object, missing: tuple[str, ...] = MISSING_WORDS) -> object:
    """What a person sees of a text: no case, width, blanks or invisible signs, one way of writing
    numbers and days."""
    if not isinstance(value, str):
        return value
    plain = unicodedata.normalize("NFKC", value)
    plain = _visible(plain).lower().replace("ß", "ss").replace("ς", "σ")
    plain = _visible(unicodedata.normalize("NFKC", plain))
    if plain[:1] == "−":
        plain = f"-{plain[1:]}"
    if _NUMBER.fullmatch(plain):
        plain = _plain_number(plain)
    elif day := _DAY.fullmatch(plain):
        plain = "-".join(part.rjust(2, "0") for part in day.groups())
    return "" if plain in missing else plain


def _visible(text: str) -> str:
    return "".join(
        sign
        for sign in text
        if not sign.isspace()
        and unicodedata.category(sign) not in ("Cf", "Cc")
        and not any(low <= ord(sign) <= high for low, high in _IGNORABLE)
    )


def _plain_number(text: str) -> str:
    number = Decimal(text)
    if "e" in text:
        power = text.partition("e")[2].lstrip("+-")
        if len(power) > 3 or not (number == 0 or 1e-4 <= abs(float(text)) < 1e15):
            return text
        number = Decimal(repr(float(text)))
    written = f"{number:f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def same_cell(before: object, after: object) -> bool:
    """Whether a cell left as it came: text to the letter, a value so that it reads the same."""
    if isinstance(before, str) and isinstance(after, str):
        return before == after
    if isinstance(before, str):
        return before == text_of(after)
    if before is None or (isinstance(before, float) and math.isnan(before)):
        return text_of(after) == "" or after in ("NaN", "nan")
    if isinstance(after, str):
        return _reads_as(after, before)
    if isinstance(before, Decimal) and isinstance(after, Decimal):
        return before == after
    if type(before) is int and type(after) is float:  # numbers of a column that also has fractions
        return Decimal(before) == Decimal(after)
    return text_of(before) == text_of(after)


def _reads_as(text: str, value: object) -> bool:
    try:
        if isinstance(value, bool):
            return text.lower() == text_of(value)
        if isinstance(value, int):
            return Decimal(text) == value
        if isinstance(value, float):
            read = float(text)
            return read == value and math.copysign(1, read) == math.copysign(1, value)
        if isinstance(value, Decimal):
            return Decimal(text) == value
        if isinstance(value, datetime):
            return _moment(text) == value.replace(tzinfo=None)
        if isinstance(value, date):
            return date.fromisoformat(text[:10]) == value
        if isinstance(value, time):
            return time.fromisoformat(text) == value
    except (ValueError, ArithmeticError):
        return False
    return text == str(value)


def _moment(text: str) -> datetime:
    """Nine digits of seconds, as some write them, are more than Python knows."""
    plain = re.sub(r"(\.\d{6})\d+", r"\1", text.replace(" ", "T", 1))
    return datetime.fromisoformat(plain).replace(tzinfo=None)


def _as_numbers(column: list[object]) -> list[object]:
    """What a program makes of a CSV column: whole numbers or reals if every cell is one."""
    filled = {cell for cell in column if cell != ""}
    if not filled or not all(isinstance(cell, str) and _NUMBER.fullmatch(cell) for cell in filled):
        return [_value_key(cell) for cell in column]
    read = int if all(_WHOLE.fullmatch(str(cell)) for cell in filled) else float
    return ["" if cell == "" else read(str(cell)) for cell in column]


def _value_key(value: object) -> object:
    if isinstance(value, float) and math.isnan(value):
        return ("nan",)
    if isinstance(value, bool):
        return ("bool", value)
    return value


def _parquet(path: str | Path) -> Cells:
    from pyarrow import parquet

    table = parquet.read_table(str(path), partitioning=None)
    columns = [column.to_pylist() for column in table.columns]
    return Cells(list(table.column_names), [list(row) for row in zip(*columns, strict=True)])


def _xlsx(path: str | Path) -> Cells:
    """The first sheet: what its XML says, nothing computed."""
    with zipfile.ZipFile(path) as book:
        shared = _shared(book)
        dates = _date_styles(book)
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    lines: list[list[object]] = []
    for row in sheet.iter(f"{_SHEET}row"):
        while len(lines) < int(row.get("r", len(lines) + 1)):
            lines.append([])
        for cell in row.iter(f"{_SHEET}c"):
            place = _place(cell.get("r", "A1"))
            line = lines[-1]
            line.extend([None] * (place + 1 - len(line)))
            line[place] = _xlsx_value(cell, shared, dates)
    width = len(lines[0])
    rows = [line + [None] * (width - len(line)) for line in lines]
    return Cells([text_of(name) for name in rows[0]], rows[1:])


def _shared(book: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in book.namelist():
        return []
    found = ElementTree.fromstring(book.read("xl/sharedStrings.xml")).iter(f"{_SHEET}si")
    return [
        _unescaped("".join(part.text or "" for part in item.iter(f"{_SHEET}t"))) for item in found
    ]


def _unescaped(text: str) -> str:
    """Characters that XML has none of are written `_x000D_` in a workbook."""
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda code: chr(int(code[1], 16)), text)


def _date_styles(book: zipfile.ZipFile) -> set[int]:
    tree = ElementTree.fromstring(book.read("xl/styles.xml"))
    own = {
        int(one.get("numFmtId", 0))
        for one in tree.iter(f"{_SHEET}numFmt")
        if re.search(r"[ymdhs]", one.get("formatCode", ""))
    }
    formats = tree.find(f"{_SHEET}cellXfs")
    numbers = [] if formats is None else [int(one.get("numFmtId", 0)) for one in formats]
    return {place for place, number in enumerate(numbers) if number in _DATES | own}


def _place(reference: str) -> int:
    letters = re.match(r"[A-Z]+", reference)
    number = 0
    for letter in letters[0] if letters else "A":
        number = number * 26 + ord(letter) - 64
    return number - 1


def _xlsx_value(cell: ElementTree.Element, shared: list[str], dates: set[int]) -> object:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(part.text or "" for part in cell.iter(f"{_SHEET}t"))
    found = cell.find(f"{_SHEET}v")
    if found is None or found.text is None:
        return None
    if kind == "s":
        return shared[int(found.text)]
    if kind == "b":
        return found.text == "1"
    if kind != "n":
        return found.text
    number = float(found.text)
    if int(cell.get("s", 0)) in dates:
        # Sheets hold fractions of a day: a millisecond is as fine as they are.
        moment = _ZERO_DAY + timedelta(milliseconds=round(number * 86_400_000))
        return moment.date() if moment.time() == time() else moment
    whole = "." not in found.text and number == int(number) and abs(number) < 2**53
    return int(number) if whole else number
