"""How often each value of a sensitive column occurs in each class, read from the public rows.

    for found in class_values(submission, ("age", "sex"), ("illness",)):
        found.size[found.owner]      # rows of the class of each entry

A class is the rows with one QI vector. Only values that occur in a class have an entry, so memory
grows with the rows, not with classes × values. Missing is a value of its own. A row may stand for
many (see `data/counted.py`); then it has no line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.data.counted import counts_of
from tokumei.tables.data.table import Table

TOLERANCE = 1e-9
"""Relative room for rounding: a figure equal to its limit must not fail (or pass) by a last bit."""


@dataclass(frozen=True, eq=False)
class ClassValues:
    """Entries (class, value, count), ordered by class; figures of classes and of values."""

    submission: Table
    columns: tuple[str, ...]
    column: str
    first: np.ndarray
    """The first row of each class."""
    values: pl.Series
    """The values of the column, each once."""
    owner: np.ndarray
    """The class of each entry."""
    value: np.ndarray
    """The value of each entry, a place in `values`."""
    count: np.ndarray
    """The rows of each entry."""

    @cached_property
    def size(self) -> np.ndarray:
        """Rows of each class."""
        return np.bincount(self.owner, self.count, len(self.first)).astype(np.int64)

    @cached_property
    def total(self) -> np.ndarray:
        """Rows of each value in the whole file."""
        return np.bincount(self.value, self.count, len(self.values)).astype(np.int64)

    @property
    def rows(self) -> int:
        """Rows of the file."""
        return int(self.count.sum())

    def per_class(self, figures: np.ndarray) -> np.ndarray:
        """The sum of a figure of the entries, for each class."""
        return np.bincount(self.owner, figures, len(self.first))

    def worst_entries(self, figures: np.ndarray) -> np.ndarray:
        """For each class the entry with the largest figure; of equals, the value seen first."""
        order = np.lexsort((-self.value, figures, self.owner))
        ends = np.cumsum(np.bincount(self.owner, minlength=len(self.first)))
        return order[ends - 1]

    def largest_first(self, figures: np.ndarray, bad: np.ndarray) -> np.ndarray:
        """The bad classes, those with the largest figures first, then by line."""
        classes = np.flatnonzero(bad)
        return classes[np.lexsort((self.first[classes], -figures[classes]))]

    def value_of(self, entry: int) -> object:
        """The value of an entry."""
        return self.values[int(self.value[entry])]

    def fault(self, rule: str, place: int, finding: Text) -> Fault:
        """The fault of one class: its vector, its first line, and what was found."""
        row = int(self.first[place])
        cells = self.submission.frame
        vector = ", ".join(f"{name}={cells[name][row]}" for name in self.columns)
        line = None if counts_of(cells) is not None else row + 2
        en, ja = f", first on line {line},", f" (最初は {line} 行目) "
        if line is None:
            en = ja = ""
        return Fault(
            rule=rule,
            line=line,
            column=self.column,
            message=Text(
                f"the class ({vector}){en} has {finding.en}",
                f"クラス ({vector}){ja}は{finding.ja}",
            ),
        )


def class_values(
    submission: Table, columns: Sequence[str], sensitive: Sequence[str]
) -> Iterator[ClassValues]:
    """The entries of each sensitive column in turn."""
    submission.schema.require([*columns, *sensitive])
    classes, first = _numbered(submission.frame, columns)
    for column in sensitive:
        codes, seen = _numbered(submission.frame, [column])
        width = max(len(seen), 1)
        pairs, place = np.unique(classes * width + codes, return_inverse=True)
        count = np.bincount(place, counts_of(submission.frame), len(pairs))
        values = submission.frame[column].gather(seen)
        owner, value = np.divmod(pairs, width)
        yield ClassValues(
            submission, tuple(columns), column, first, values, owner, value, count.astype(np.int64)
        )


def _numbered(frame: pl.DataFrame, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The number of each row's vector, in order of appearance, and each vector's first row."""
    names = list(dict.fromkeys(names))
    groups = (
        frame.select(names)
        .with_row_index("tokumei_row")
        .group_by(names, maintain_order=True)
        .agg(pl.col("tokumei_row"))["tokumei_row"]
    )
    numbers = np.empty(frame.height, dtype=np.int64)
    rows = groups.explode().drop_nulls().to_numpy()
    numbers[rows] = np.repeat(np.arange(len(groups)), groups.list.len().to_numpy())
    return numbers, groups.list.first().to_numpy().astype(np.int64)
