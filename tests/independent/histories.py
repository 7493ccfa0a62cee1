"""A released purchase history: k people with the same rows, and nothing that was not there.

lines = read_lines("public.csv")                # customer, day, item, price, quantity as text
unlike(lines, 3)                                # histories that fewer than 3 people share
names, lines = read_table("public.csv", "ID")   # any columns below a header, the customer first
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal
from pathlib import Path

COLUMNS = ("customer", "day", "item", "price", "quantity")
Line = tuple[str, ...]


def read_lines(path: str | Path, *, header: bool = False) -> list[Line]:
    """The rows of a file as text, five cells each."""
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        rows = [tuple(row) for row in csv.reader(text)]
    if header and rows[0] != COLUMNS:
        raise ValueError(f"{path}: the header is {rows[0]}")
    rows = rows[header:]
    if any(len(row) != len(COLUMNS) for row in rows):
        raise ValueError(f"{path}: a line has not five cells")
    return rows


def read_table(path: str | Path, customer: str) -> tuple[Line, list[Line]]:
    """The names of any columns and the rows below them, those of the customer first."""
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        names, *rows = csv.reader(text)
    at = names.index(customer)
    first = [(row[at], *row[:at], *row[at + 1 :]) for row in (names, *rows)]
    return first[0], first[1:]


def unlike(public: list[Line], k: int) -> list[str]:
    """The histories that fewer than k people share; a history is all rows, how often each."""
    people: dict[str, Counter[Line]] = defaultdict(Counter)
    for person, *cells in public:
        people[person][tuple(cells)] += 1
    shared = Counter(frozenset(rows.items()) for rows in people.values())
    return [f"a history of {n} people, k = {k}" for n in shared.values() if n < k]


def misplaced(original: list[Line], aligned: list[Line], names: Line | None = None) -> list[str]:
    """Cells of a row-aligned release behind which the original's cell cannot be.

    What columns of other names hold is told by all of the original's cells.
    """
    if len(original) != len(aligned):
        return [f"{len(aligned)} rows for {len(original)}"]
    faults = []
    forms = COLUMNS if names is None else tuple(map(_form, zip(*original, strict=True)))
    for number, (before, after) in enumerate(zip(original, aligned, strict=True)):
        if set(after) == {"*"}:
            continue
        cells = zip(names or COLUMNS, forms, before, after, strict=True)
        for name, form, old, new in list(cells)[1:]:
            if not _covers(form, new, old):
                faults.append(f"row {number}, {name}: {old!r} is not in {new!r}")
    return faults


def _form(cells: Line) -> str:
    """As which column of a contest's file the cells are to be read."""
    if all(re.fullmatch(r"\d{4}[/-]\d{1,2}[/-]\d{1,2}([ T].*)?", cell) for cell in cells):
        return "day"
    if any(re.match(r"[+-]?0\d", cell) for cell in cells):
        return "item"
    return "price" if all(re.fullmatch(r"[+-]?\d+(\.\d+)?", cell) for cell in cells) else "item"


def mispaired(original: list[Line], aligned: list[Line]) -> list[str]:
    """People with two pseudonyms, and pseudonyms with two people."""
    pairs = {
        (old[0], new[0]) for old, new in zip(original, aligned, strict=True) if set(new) != {"*"}
    }
    faults = []
    for side, what in ((0, "customer"), (1, "pseudonym")):
        often = Counter(pair[side] for pair in pairs)
        faults += [f"{what} {one!r} is paired {n} times" for one, n in often.items() if n > 1]
    return faults


def published(aligned: list[Line], public: list[Line]) -> list[str]:
    """The public rows are the rows that were kept, no more and no fewer, in an order of their own.

    Sorted as text: an order that tells nothing.
    """
    kept = [line for line in aligned if set(line) != {"*"}]
    if Counter(kept) != Counter(public):
        return ["the public rows are not those that were kept"]
    return [] if public == sorted(public, key=",".join) else ["the public rows are not sorted"]


def untrue(original: list[Line], aligned: list[Line], secret: list[tuple[str, str]]) -> list[str]:
    """Pairs pseudonym, customer that the rows do not show, and pairs that are missing."""
    pairs = {
        (new[0], old[0]) for old, new in zip(original, aligned, strict=True) if set(new) != {"*"}
    }
    return [] if pairs == set(secret) else ["the pairs of pseudonyms and customers are not true"]


def _covers(name: str, cell: str, value: str) -> bool:
    if cell == "*":
        return True
    if name == "item":
        inside = re.fullmatch(r"\{(.+)\}", cell, re.DOTALL)
        return value in inside[1].split(";") if inside else cell == value
    ends = re.fullmatch(r"\[([^;]+);([^;]+)\]", cell)
    low, high = ends.groups() if ends else (cell, cell)
    return _size(name, low) <= _size(name, value) <= _size(name, high)


def _size(name: str, text: str) -> Decimal:
    if name == "day":
        year, month, day = re.split(r"[/-]", text[:10].rstrip("T "))
        return Decimal(date(int(year), int(month), int(day)).toordinal())
    return Decimal(text)
