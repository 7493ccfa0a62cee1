"""Checks personal requests: hidden attributes, and a k of one's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.errors import UsageError, Violation
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table
from tokumei.tables.verification.protocol import TableClaimCheck

SUPPRESSED = "*"


@dataclass(frozen=True)
class HiddenCells(TableClaimCheck):
    """Looks at every cell that the column `hide` names; names are separated by ; or a comma."""

    name: ClassVar[str] = "hidden-cells"
    title: ClassVar[Message] = Message("Cells hidden on request")
    sentence: ClassVar[Message] = Message(
        "Attributes that a person asks to be hidden are * in the person's row."
    )
    claim: ClassVar[Message] = Message(
        "of {columns}, what people ask to be hidden ({hide}) is * in their rows"
    )

    columns: tuple[str, ...]
    hide: str

    def __post_init__(self) -> None:
        if not self.columns or self.hide in self.columns:
            raise UsageError(
                "hidden-cells needs quasi-identifiers and a column of their names that is none of "
                "them"
            )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per cell that is shown."""
        submission.schema.require([*self.columns, self.hide])
        requests = submission.frame[self.hide].cast(pl.String)
        faults: list[Violation] = []
        for number, (cell, row) in enumerate(
            zip(requests, submission.frame.iter_rows(named=True), strict=True)
        ):
            hidden_names = {part.strip() for part in re.split("[;,、；，]", cell or "")}
            faults += [
                self._shown_cell_violation(number + 1, name)
                for name in self.columns
                if name in hidden_names and row[name] != SUPPRESSED
            ]
        return faults

    def _shown_cell_violation(self, row: int, column: str) -> Violation:
        message = Message(
            "row {row}: '{column}' is shown although the person asks to have it hidden",
            row=row,
            column=column,
        )
        return Violation(rule=self.name, column=column, message=message)


@dataclass(frozen=True)
class PersonalK(TableClaimCheck):
    """Counts the rows of every class, and compares with the largest number asked for in it.

    An empty cell asks for nothing; a cell that is not a number is a fault.
    """

    name: ClassVar[str] = "personal-k"
    title: ClassVar[Message] = Message("Personal k")
    sentence: ClassVar[Message] = Message(
        "The class of every person has as many rows as the person asks for."
    )
    claim: ClassVar[Message] = Message(
        "every combination of {columns} occurs in as many rows as its people ask for ({personal})"
    )

    columns: tuple[str, ...]
    personal: str

    def __post_init__(self) -> None:
        if not self.columns or self.personal in self.columns:
            raise UsageError(
                "personal-k needs quasi-identifiers and a column of numbers that is none of them"
            )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per class with too few rows, and per cell that is no number."""
        submission.schema.require([*self.columns, self.personal])
        requests = submission.frame[self.personal].cast(pl.String)
        rows: dict[tuple[object, ...], int] = {}
        largest_request: dict[tuple[object, ...], int] = {}
        faults: list[Violation] = []
        vectors = submission.frame.select(self.columns).iter_rows()
        for number, (vector, cell) in enumerate(zip(vectors, requests, strict=True)):
            rows[vector] = rows.get(vector, 0) + 1
            try:
                largest_request[vector] = max(largest_request.get(vector, 0), int(float(cell or 0)))
            except (ValueError, OverflowError):
                faults.append(self._not_a_number_violation(number + 1, str(cell)))
        small = [vector for vector, count in rows.items() if count < largest_request.get(vector, 0)]
        return faults + [
            self._small_class_violation(vector, rows[vector], largest_request[vector])
            for vector in small
        ]

    def _small_class_violation(
        self, vector: tuple[object, ...], rows: int, requested: int
    ) -> Violation:
        shown = ", ".join(map(str, vector))
        message = Message(
            "({vector}) occurs in {count} row, but somebody in it asks for {requested}",
            plural="({vector}) occurs in {count} rows, but somebody in it asks for {requested}",
            count=rows,
            vector=shown,
            requested=requested,
        )
        return Violation(rule=self.name, column=self.personal, message=message)

    def _not_a_number_violation(self, row: int, cell: str) -> Violation:
        message = Message("row {row}: '{cell}' is not a number of people", row=row, cell=cell)
        return Violation(rule=self.name, column=self.personal, message=message)
