"""Base class of checks on classes: rows with the same values of the columns.

    class Mixed(ClassClaimCheck):
        name = "mixed"
        def findings(self, values): ...     # the classes that break it, and how, the worst first

    for values in class_values(submission, ("age", "sex"), ("illness",)):
        values.size[values.owner]    # rows of the class of each entry

Only values that occur in a class have an entry, so memory grows with the rows, not with
classes × values. Missing is a value of its own, unless a rule says otherwise. A row may stand for
many (see `data/weighted_rows.py`); then it has no line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError, Violation
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN, row_count_column
from tokumei.tables.verification.merged_spellings import merge_spelling
from tokumei.tables.verification.protocol import (
    ParameterRequirement,
    TableClaimCheck,
    require_parameters,
)

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

    def worst_entries(self, figures: np.ndarray) -> np.ndarray:
        """For each class the entry with the largest figure; of equals, the value seen first."""
        order = np.lexsort((-self.value, figures, self.owner))
        ends = np.cumsum(np.bincount(self.owner, minlength=len(self.first)))
        return order[ends - 1]

    def largest_first(self, figures: np.ndarray, bad: np.ndarray) -> np.ndarray:
        """The bad classes, those with the largest figures first, then by line."""
        classes = np.flatnonzero(bad)
        return classes[np.lexsort((self.first[classes], -figures[classes]))]

    def filled(self) -> ClassValues:
        """Without the entries of empty cells; a class of nothing else has none."""
        empty = self.values.is_null() | (self.values.cast(pl.String) == "").fill_null(value=False)
        is_filled = ~empty.to_numpy()[self.value]
        return replace(
            self,
            owner=self.owner[is_filled],
            value=self.value[is_filled],
            count=self.count[is_filled],
        )

    def value_of(self, entry: int) -> object:
        """The value of an entry."""
        return self.values[int(self.value[entry])]

    def fault(self, rule: str, place: int, finding: Message) -> Violation:
        """The fault of one class: its vector, its first line, and what was found."""
        row, cells = int(self.first[place]), self.submission.frame
        line = None if row_count_column(cells) is not None else row + 2
        message = Message("the class ({vector}) has {finding}")
        if line:
            message = Message("the class ({vector}), first on line {line}, has {finding}")
        vector = format_class_vector(cells.row(row, named=True), self.columns)
        message = message.fill(vector=vector, line=line, finding=finding)
        return Violation(rule=rule, line=line, column=self.column, message=message)


def class_values(
    submission: Table, columns: Sequence[str], sensitive: Sequence[str]
) -> Iterator[ClassValues]:
    """The entries of each sensitive column in turn."""
    submission.schema.require([*columns, *sensitive])
    classes, first = _number_vectors(submission.frame, columns)
    for column in sensitive:
        codes, first_of_value = _number_vectors(submission.frame, [column])
        width = max(len(first_of_value), 1)
        pairs, pair_index = np.unique(classes * width + codes, return_inverse=True)
        count = np.bincount(pair_index, row_count_column(submission.frame), len(pairs))
        values = submission.frame[column].gather(first_of_value)
        owner, value = np.divmod(pairs, width)
        yield ClassValues(
            submission, tuple(columns), column, first, values, owner, value, count.astype(np.int64)
        )


def _number_vectors(frame: pl.DataFrame, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
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


SIZE_COLUMN, FIRST_ROW_COLUMN = "tokumei_count", "tokumei_row"


ClassFindings = Iterator[tuple[int, Message]]
"""Classes that break a rule, each with what it has."""


class ClassClaimCheck(TableClaimCheck):
    """Base of the rules that look at the sensitive values of every class."""

    sensitive: tuple[str, ...]
    demands: ClassVar[Mapping[str, ParameterRequirement]]
    """By parameter, what it must be."""

    def __post_init__(self) -> None:
        require_parameters(self, self.demands)
        if not self.columns or not self.sensitive:
            qi, sa = field_name("qi"), field_name("sa")
            raise UsageError(
                "{rule} needs quasi-identifiers ({qi}) and sensitive columns ({sa})",
                field="sa" if self.columns else "qi",
                rule=self.title,
                qi=qi,
                sa=sa,
            )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per class and sensitive column that breaks the rule, the worst first."""
        return [
            class_column.fault(self.name, place, finding)
            for class_column in class_values(submission, self.columns, self.sensitive)
            for place, finding in self.findings(class_column)
        ]

    def findings(self, class_column: ClassValues) -> ClassFindings:
        """The classes that break the rule by one column, and what they have, the worst first."""
        raise NotImplementedError


def small_classes(
    frame: pl.DataFrame, columns: tuple[str, ...], k: int, person: str = ""
) -> pl.DataFrame:
    """Classes with fewer than k rows, or persons, the smallest first; `SIZE_COLUMN` says how many.

    `FIRST_ROW_COLUMN` is the first row of each, where every row stands for itself.
    """
    names, counted = list(columns), row_count_column(frame) is not None
    size = pl.col(COUNT_COLUMN).sum() if counted else pl.len()
    if person:
        frame = frame.with_columns(_merge_spellings(frame[person]))
        size = pl.col(person).drop_nulls().n_unique()
    first = [] if counted else [pl.col(FIRST_ROW_COLUMN).min()]
    classes = (
        frame.with_row_index(FIRST_ROW_COLUMN).group_by(names).agg(size.alias(SIZE_COLUMN), *first)
    )
    return classes.filter(pl.col(SIZE_COLUMN) < k).sort(
        SIZE_COLUMN, *(names if counted else [FIRST_ROW_COLUMN])
    )


def _merge_spellings(persons: pl.Series) -> pl.Series:
    """One value for all spellings of a person; written apart from what the methods use."""
    spelled = persons.cast(pl.String)
    distinct = spelled.drop_nulls().unique().to_list()
    return spelled.replace_strict(
        distinct, [merge_spelling(text) for text in distinct], default=None
    )


def format_class_vector(row: dict[str, object], columns: tuple[str, ...]) -> str:
    """The values of a class, to be read by a person."""
    return ", ".join(f"{name}={row[name]}" for name in columns)


def first_row_line(row: dict[str, object]) -> int | None:
    """The line of a class's first row in a file with a header, if it is known."""
    first_row = row.get(FIRST_ROW_COLUMN)
    return first_row + 2 if isinstance(first_row, int) else None
