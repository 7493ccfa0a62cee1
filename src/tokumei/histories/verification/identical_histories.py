"""Checks that every released person has the same rows as at least k − 1 others.

    IdenticalHistories(k=6).check(release.public)
    check_identical_on_spark(rows, 6).faults  # counted on a cluster from the rows that were written

Two people are alike if their rows are the same text as often. Rows get numbers by comparing
their cells, people are compared by all their numbers (on a cluster by all their rows, sorted): no
hash stands for the text, so nothing can collide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np
import polars as pl

from tokumei.core.claims import VerificationResult
from tokumei.core.described import ClaimCheck
from tokumei.core.errors import MAX_LISTED_VIOLATIONS, UsageError, Violation
from tokumei.core.messages import Message
from tokumei.files.contest_violations import require_columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class HistoryClaimCheck(ClaimCheck[pl.DataFrame], Protocol):
    """A property that a released history has or has not, seen in its public rows."""


_CELL_COLUMNS = ("day", "item", "price", "quantity")
_ALL_COLUMNS = ("customer", *_CELL_COLUMNS)
_ROW_COLUMN = "tokumei_row"
NO_ROWS_VIOLATION = Violation(rule="rows", message=Message("the public file has no rows"))
"""What is wrong with a file in which there is no one to be alike."""


@dataclass
class _IdenticalClass:
    """People with identical histories: the first of them and how many they are."""

    person: str
    row: int
    size: int = 0


@dataclass(frozen=True)
class IdenticalHistories(HistoryClaimCheck):
    """Every history occurs k times or more among the pseudonyms of a public file."""

    name: ClassVar[str] = "identical-histories"
    title: ClassVar[Message] = Message("k identical histories")
    sentence: ClassVar[Message] = Message("Every released history is shared by at least k people.")

    k: int

    def __post_init__(self) -> None:
        if self.k < 2:
            raise UsageError("k must be at least 2, not {k}", k=self.k)

    def words(self) -> Message:
        """The claim with its parameters."""
        return Message("every released history is shared by at least {k} people", k=self.k)

    def check(
        self, submission: pl.DataFrame, *, source: object = None, first_line: int = 1
    ) -> list[Violation]:
        """One fault per class of fewer than k people, the smallest first."""
        classes: dict[bytes, _IdenticalClass] = {}
        for person, row, history in _iter_histories(submission):
            same_history = classes.setdefault(history, _IdenticalClass(person, row))
            same_history.size += 1
            if row < same_history.row:
                same_history.person, same_history.row = person, row
        small = [same_history for same_history in classes.values() if same_history.size < self.k]
        small.sort(key=lambda same_history: (same_history.size, same_history.row))
        return [self.fault(class_.person, class_.size, first_line + class_.row) for class_ in small]

    def fault(self, person: str, people: int, line: int | None = None) -> Violation:
        """That so few have the history of a person, which first stands on this line."""
        if line is None:
            message = Message(
                "only {count} person has the history of '{person}'; k = {k} needed",
                plural="only {count} people have the history of '{person}'; k = {k} needed",
                count=people,
                person=person,
                k=self.k,
            )
        else:
            message = Message(
                "only {count} person has the history of '{person}', first on line {line}; k = {k} "
                "needed",
                plural="only {count} people have the history of '{person}', first on line {line}; "
                "k = {k} needed",
                count=people,
                person=person,
                line=line,
                k=self.k,
            )
        return Violation(rule=self.name, line=line, column="customer", message=message)


def _iter_histories(frame: pl.DataFrame) -> Iterator[tuple[str, int, bytes]]:
    """Every person, the first row, and all rows' numbers in order."""
    require_columns(frame, _ALL_COLUMNS)
    cells = [name for name in frame.columns if name != "customer"]
    rows = frame.with_row_index(_ROW_COLUMN)
    rows = rows.filter(~pl.all_horizontal(pl.col(frame.columns) == "*").fill_null(False))
    if rows.is_empty():
        return
    number, _ = _number_distinct_rows(rows, cells)
    person, first = _number_distinct_rows(rows, ["customer"])
    order = np.lexsort((number, person))
    ends = np.cumsum(np.bincount(person))
    names = rows["customer"].gather(first).to_list()
    places = rows[_ROW_COLUMN].gather(first).to_list()
    sorted_numbers = number[order]
    for i, end in enumerate(ends):
        start = int(ends[i - 1]) if i else 0
        yield str(names[i]), places[i], sorted_numbers[start:end].tobytes()


def _number_distinct_rows(rows: pl.DataFrame, columns: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The same number for rows with the same cells, and the first row of every number."""
    cells = rows.select(columns).with_row_index(_ROW_COLUMN)
    members = cells.group_by(columns).agg(_ROW_COLUMN)[_ROW_COLUMN]
    sizes = members.list.len().to_numpy()
    number = np.empty(rows.height, dtype=np.int64)
    number[members.explode().to_numpy()] = np.repeat(np.arange(len(sizes)), sizes)
    return number, members.list.min().to_numpy()


_HISTORY_COLUMN, _PEOPLE_COLUMN, _PERSON_COLUMN = (
    "tokumei_history",
    "tokumei_people",
    "tokumei_person",
)


def check_identical_on_spark(rows: DataFrame, k: int) -> VerificationResult:
    """The histories that fewer than k people have, and how many rows are not deleted."""
    from pyspark.sql import functions as f

    deleted = f.lit(True)
    for name in _ALL_COLUMNS:
        deleted &= f.col(name).eqNullSafe("*")
    purchases = f.sort_array(f.collect_list(f.struct(*_CELL_COLUMNS)))
    people = rows.where(~deleted).groupBy("customer").agg(purchases.alias(_HISTORY_COLUMN))
    same_histories = people.groupBy(_HISTORY_COLUMN).agg(
        f.count("*").alias(_PEOPLE_COLUMN), f.min("customer").alias(_PERSON_COLUMN)
    )
    small = f.col(_PEOPLE_COLUMN) < IdenticalHistories(k).k
    kept = f.coalesce(f.sum(f.col(_PEOPLE_COLUMN) * f.size(_HISTORY_COLUMN)), f.lit(0))
    counted = same_histories.agg(kept, f.count_if(small)).head()
    assert counted is not None
    faults = []
    if counted[1]:
        listed = (
            same_histories.where(small)
            .orderBy(_PEOPLE_COLUMN, _PERSON_COLUMN)
            .limit(MAX_LISTED_VIOLATIONS)
        )
        shown = listed.select(_PERSON_COLUMN, _PEOPLE_COLUMN).collect()
        faults = [IdenticalHistories(k).fault(row[0], row[1]) for row in shown]
    return VerificationResult(faults, counted[1], counted[0])
