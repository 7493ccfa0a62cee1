"""A release beside its original, by the secret link: what was not to be touched, and persons.

changed(original, released, ["comment"], link)      # cells that differ, in words
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from pathlib import Path

from independent.cells import Cells, same_cell, text_of

CHANGED_VALUES = {"noise", "microaggregate", "swap"}
"""The methods that change sensitive values on purpose."""
RELABELS = {"yamaoka"}
"""The methods whose link is deliberately not the row's own."""


def read_link(path: str | Path) -> list[int]:
    """The original's row number for every released row; each released row once, in order."""
    with Path(path).open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    if header != ["released", "original"]:
        raise ValueError(f"{path}: the header is {header}")
    if [int(row[0]) for row in rows] != list(range(len(rows))):
        raise ValueError(f"{path}: released rows are not 0, 1, 2, …")
    return [int(row[1]) for row in rows]


def link_faults(link: list[int], released: Cells, original: Cells) -> list[str]:
    """A link names an existing row of the original for every released row, none of them twice."""
    faults = []
    if len(link) != len(released.rows):
        faults.append(f"{len(link)} links for {len(released.rows)} rows")
    if len(set(link)) != len(link):
        faults.append("an original row is linked twice")
    if any(not 0 <= row < len(original.rows) for row in link):
        faults.append("a link leads nowhere")
    return faults


def untouched(manifest: dict) -> list[str]:
    """The columns that no step of the release may have changed."""
    methods = {step["method"] for step in manifest["provenance"]["steps"]}
    roles = {"other"} if methods & CHANGED_VALUES else {"other", "sensitive"}
    steps = manifest["provenance"]["steps"]
    unified = {name for step in steps for name in step.get("columns") or ()}
    return [
        name for name, role in manifest["columns"].items() if role in roles and name not in unified
    ]


def changed(original: Cells, released: Cells, names: list[str], link: list[int]) -> list[str]:
    """The cells of some columns that are not what they were."""
    faults = []
    for name in names:
        before, after = original.column(name), released.column(name)
        for row, source in enumerate(link):
            if not same_cell(before[source], after[row]):
                faults.append(f"{name!r} row {row}: {before[source]!r} became {after[row]!r}")
                break
    return faults


def lost(original: Cells, released: Cells, names: list[str]) -> list[str]:
    """The same without a link: no column may hold a text more often than the original did."""
    faults = []
    for name in names:
        texts = all(isinstance(cell, str) for cell in original.column(name))
        key = text_of if texts else _read
        before = Counter(map(key, original.column(name)))
        after = Counter(map(key, released.column(name)))
        if more := after - before:
            faults.append(f"{name!r}: {next(iter(more))!r} is not from the original")
    return faults


def _read(cell: object) -> object:
    """What a cell of a column of values reads as: `0`, `-0` and `0.0` are one number."""
    text = text_of(cell)
    try:
        number = Decimal(text)
        return number if number.is_finite() else text  # the text NaN is one word, unlike the number
    except InvalidOperation:
        text = re.sub(r"^(\d{4}-\d\d-\d\d)[ T]00:00:00(\.0*)?$", r"\1", text)
        return re.sub(r"^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d\.\d+?)0*$", r"\1T\2", text)


def few_persons(original: Cells, released: Cells, link: list[int], params: dict) -> list[str]:
    """Classes with rows of fewer than k persons, whom only the original names."""
    persons = [text_of(value) for value in original.column(params["person"])]
    classes: dict[tuple[str, ...], set[str]] = {}
    for vector, row in zip(released.texts(list(params["columns"])), link, strict=True):
        classes.setdefault(vector, set()).update(filter(None, [persons[row]]))
    return [
        f"{vector!r} has rows of {len(found)} person(s), k = {params['k']}"
        for vector, found in classes.items()
        if len(found) < params["k"]
    ]
