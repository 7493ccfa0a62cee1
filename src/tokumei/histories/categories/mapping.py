"""Maps items to categories, by code prefixes or from a file.

categories = prefix_categories(["85123A", "85123B", "22423"], length=5)
categories.sizes()      # {"85123": 2, "22423": 1}
write_categories(categories, "categories.csv")      # header item,category; one line per item
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from tokumei.core.errors import Violation
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import CsvRows, parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import AnyPath, detect_format, input_error, load_bytes
from tokumei.files.writing import write_frame


@dataclass(frozen=True, eq=False)
class Categories:
    """A category for every item, and the way they were made (`name`)."""

    name: str
    of: Mapping[str, str]

    def sizes(self) -> dict[str, int]:
        """Items per category, largest first, equal sizes by name."""
        counts = Counter(self.of.values())
        return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))

    def frame(self) -> pl.DataFrame:
        """Columns `item`, `category`, sorted by item: what a mapping file holds."""
        items = sorted(self.of)
        columns = {"item": items, "category": [self.of[item] for item in items]}
        return pl.DataFrame(columns, schema={"item": pl.String, "category": pl.String})


def prefix_categories(items: Iterable[str], *, length: int) -> Categories:
    """Every item in the category named by its first `length` characters."""
    return Categories("prefix", {item: item[:length] for item in items})


MAPPING_COLUMNS = ("item", "category")
_MAPPING_SUFFIXES = (".csv", ".csv.gz")


def read_categories(path: AnyPath, *, encoding: str = "auto") -> Categories:
    """The categories of a mapping file; an InputError lists every line that cannot be used.

    An item may be repeated with the same category, not with another; no cell may be empty.
    """
    data = to_utf8(load_bytes(path, detect_format(path, _MAPPING_SUFFIXES)), encoding, where=path)
    rows = parse_csv(data, sep=",", where=path, expected=MAPPING_COLUMNS)
    of: dict[str, str] = {}
    faults = _fill_category_of_item(rows, of)
    if faults:
        raise input_error(path, Message("the categories cannot be used"), faults=faults)
    return Categories("file", of)


def write_categories(categories: Categories, path: AnyPath) -> None:
    """Categories as a mapping file, sorted by item."""
    detect_format(path, _MAPPING_SUFFIXES)
    write_frame(categories.frame(), path)


def _fill_category_of_item(rows: CsvRows, of: dict[str, str]) -> list[Violation]:
    """Fill `of` from the rows and return what is wrong with them."""
    faults: list[Violation] = []
    for row, (item, category) in enumerate(rows.frame.iter_rows()):
        line = rows.line_of(row)
        cells = zip(MAPPING_COLUMNS, (item, category), strict=True)
        empty = [name for name, cell in cells if not (cell or "").strip()]
        for name in empty:
            message = Message(
                "line {line}, column '{column}': the cell is empty", line=line, column=name
            )
            faults.append(Violation(rule="categories", message=message, line=line, column=name))
        if not empty and of.setdefault(item, category) != category:
            message = Message(
                "line {line}: item '{item}' is in '{other}' already, not in '{category}'",
                line=line,
                item=item,
                other=of[item],
                category=category,
            )
            faults.append(
                Violation(rule="categories", message=message, line=line, column="category")
            )
    return faults
