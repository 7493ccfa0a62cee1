"""Checks k-anonymity: every vector of the columns occurs k times, in rows or persons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, cast

import polars as pl

from tokumei.core.errors import UsageError, Violation
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import class_sizes, row_count_column, total_rows
from tokumei.tables.verification.class_check_base import (
    SIZE_COLUMN,
    first_row_line,
    format_class_vector,
    small_classes,
)
from tokumei.tables.verification.protocol import AT_LEAST_2, TableClaimCheck, require_parameters


@dataclass(frozen=True)
class KAnonymity(TableClaimCheck):
    """Counts the rows of every distinct vector, as text in the file."""

    name: ClassVar[str] = "k-anonymity"
    title: ClassVar[Message] = Message("k-anonymity")
    sentence: ClassVar[Message] = Message(
        "Every combination of the columns occurs in at least k rows."
    )
    claim: ClassVar[Message] = Message("every combination of {columns} occurs in at least {k} rows")

    k: int
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        require_parameters(self, {"k": AT_LEAST_2})
        if not self.columns:
            raise UsageError("name at least one column to count")

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per vector that is too rare, the rarest first."""
        submission.schema.require(self.columns)
        frame = submission.frame
        if row_count_column(frame) is None:
            sizes = class_sizes(frame.select(self.columns))
            if not len(sizes) or sizes.min() >= self.k:
                return []
        return self.faults(small_classes(frame, self.columns, self.k))

    def faults(self, small: pl.DataFrame) -> list[Violation]:
        """One for each of some small classes."""
        return [self._class_violation(row) for row in small.iter_rows(named=True)]

    def _class_violation(self, row: dict[str, object]) -> Violation:
        vector, line = format_class_vector(row, self.columns), first_row_line(row)
        count = cast(int, row[SIZE_COLUMN])
        message = Message(
            "only {count} row has ({vector}); k = {k} needed",
            plural="only {count} rows have ({vector}); k = {k} needed",
            count=count,
            vector=vector,
            k=self.k,
        )
        if line:
            message = Message(
                "only {count} row has ({vector}), first on line {line}; k = {k} needed",
                plural="only {count} rows have ({vector}), first on line {line}; k = {k} needed",
                count=count,
                vector=vector,
                line=line,
                k=self.k,
            )
        return Violation(rule=self.name, line=line, message=message)


@dataclass(frozen=True)
class KPerPerson(KAnonymity):
    """Counts the different values of a person column in every class.

    Ten rows of one person are one person. A row whose person is missing counts for nobody.

    A release does not show the persons. Then `rows` is how many rows it had when they were counted,
    and what can still be seen is checked: as many rows, and k of them in every class.
    """

    name: ClassVar[str] = "k-per-person"
    title: ClassVar[Message] = Message("k-anonymity per person")
    sentence: ClassVar[Message] = Message("Every class has rows of at least k different persons.")
    claim: ClassVar[Message] = Message(
        "every combination of {columns} has rows of at least {k} people"
    )

    person: str
    rows: int | None = None

    def __post_init__(self) -> None:
        if not self.columns or self.person in self.columns:
            raise UsageError(
                "k-per-person needs quasi-identifiers and a person column that is none of them"
            )
        super().__post_init__()

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per class with too few persons, the fewest first."""
        if self.sees_persons(submission.schema.names):
            submission.schema.require([*self.columns, self.person])
            small = small_classes(submission.frame, self.columns, self.k, self.person)
            return self.faults(small)
        row_violations = KAnonymity(self.k, self.columns).check(submission)
        return self.violations_without_persons(row_violations, total_rows(submission.frame))

    def sees_persons(self, names: Sequence[str]) -> bool:
        """Whether persons can still be counted in a table with these columns."""
        return self.rows is None or self.person in names

    def violations_without_persons(
        self, small: Sequence[Violation], rows: int | None
    ) -> list[Violation]:
        """Classes with too few rows; before them, if rows were added or taken away."""
        faults = [replace(fault, rule=self.name) for fault in small]
        if rows != self.rows:
            changed = Message(
                "persons were counted in {counted_rows} rows, but there are {rows}",
                counted_rows=self.rows,
                rows=rows,
            )
            faults.insert(0, Violation(rule=self.name, message=changed))
        return faults

    def _class_violation(self, row: dict[str, object]) -> Violation:
        vector, line = format_class_vector(row, self.columns), first_row_line(row)
        count = cast(int, row[SIZE_COLUMN])
        message = Message(
            "the class ({vector}) has rows of only {count} person by '{person}'; k = {k} needed",
            plural="the class ({vector}) has rows of only {count} persons by '{person}'; k = {k} "
            "needed",
            count=count,
            vector=vector,
            person=self.person,
            k=self.k,
        )
        if line:
            message = Message(
                "the class ({vector}), first on line {line}, has rows of only {count} person by "
                "'{person}'; k = {k} needed",
                plural="the class ({vector}), first on line {line}, has rows of only {count} "
                "persons by '{person}'; k = {k} needed",
                count=count,
                vector=vector,
                line=line,
                person=self.person,
                k=self.k,
            )
        return Violation(rule=self.name, line=line, column=self.person, message=message)
