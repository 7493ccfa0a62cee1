"""Categories in a file: CSV with the header `item,category`, one line per item.

write_categories(categories, "categories.csv")
categories = read_categories("categories.csv")
"""

from __future__ import annotations

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, format_of, input_error, load_bytes
from tokumei.files.csv_text import CsvRows, parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.files.writing import write_frame
from tokumei.histories.categories.categories import Categories

COLUMNS = ("item", "category")
_SUFFIXES = (".csv", ".csv.gz")


def read_categories(path: AnyPath, *, encoding: str = "auto") -> Categories:
    """The categories of a mapping file; an InputError lists every line that cannot be used.

    An item may be repeated with the same category, not with another; no cell may be empty.
    """
    data = to_utf8(load_bytes(path, format_of(path, _SUFFIXES)), encoding, where=path)
    rows = parse_csv(data, sep=",", where=path, expected=COLUMNS)
    of: dict[str, str] = {}
    faults = _collect(rows, of)
    if faults:
        raise input_error(
            path, Text("the categories cannot be used", "カテゴリー表が使えません"), faults=faults
        )
    return Categories("file", of)


def write_categories(categories: Categories, path: AnyPath) -> None:
    """Categories as a mapping file, sorted by item."""
    format_of(path, _SUFFIXES)
    write_frame(categories.frame(), path)


def _collect(rows: CsvRows, of: dict[str, str]) -> list[Fault]:
    """Fill `of` from the rows and return what is wrong with them."""
    faults: list[Fault] = []
    for row, (item, category) in enumerate(rows.frame.iter_rows()):
        line = rows.line_of(row)
        empty = [
            name
            for name, cell in zip(COLUMNS, (item, category), strict=True)
            if not (cell or "").strip()
        ]
        faults += [_empty(line, name) for name in empty]
        if not empty and of.setdefault(item, category) != category:
            faults.append(_two_categories(line, item, of[item], category))
    return faults


def _empty(line: int, column: str) -> Fault:
    message = Text(
        f"line {line}, column '{column}': the cell is empty",
        f"{line} 行目、列 '{column}': セルが空です",
    )
    return Fault(rule="categories", message=message, line=line, column=column)


def _two_categories(line: int, item: str, first: str, second: str) -> Fault:
    message = Text(
        f"line {line}: item '{item}' is in '{first}' already, not in '{second}'",
        f"{line} 行目: 商品 '{item}' は既に '{first}' にあり、'{second}' にはできません",
    )
    return Fault(rule="categories", message=message, line=line, column="category")
