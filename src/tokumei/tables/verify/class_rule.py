"""What rules about classes share: a class is the rows with one vector of the columns.

class Mixed(ClassRule):
    name = "mixed"
    def findings(self, found): ...      # the classes that break it, and how, the worst first
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.tables.data.counted import COUNT, counts_of
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_values import ClassValues, class_values
from tokumei.tables.verify.protocol import Rule

SIZE, FIRST = "tokumei_count", "tokumei_row"
AT_LEAST_2 = Text("at least 2", " 2 以上")
ABOVE_0 = Text("a number above 0", " 0 より大きい数")


class Finding(NamedTuple):
    """A class that breaks a rule, and what it has."""

    place: int
    en: str
    ja: str


class ClassRule(Rule):
    """Base of the rules that look at the sensitive values of every class."""

    sensitive: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.columns or not self.sensitive:
            raise UsageError(
                f"{self.name} needs QI and SA columns",
                f"{self.name} には準識別子と機密属性が必要です",
            )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class and sensitive column that breaks the rule, the worst first."""
        return [
            found.fault(self.name, one.place, Text(one.en, one.ja))
            for found in class_values(submission, self.columns, self.sensitive)
            for one in self.findings(found)
        ]

    def findings(self, found: ClassValues) -> Iterator[Finding]:
        """The classes that break the rule by one column, and what they have, the worst first."""
        raise NotImplementedError


def small_classes(
    frame: pl.DataFrame, columns: tuple[str, ...], k: int, person: str = ""
) -> pl.DataFrame:
    """Classes with fewer than k rows, or persons, the smallest first; `SIZE` says how many.

    `FIRST` is the first row of each, where every row stands for itself.
    """
    names, counted = list(columns), counts_of(frame) is not None
    size = pl.col(COUNT).sum() if counted else pl.len()
    if person:
        size = pl.col(person).drop_nulls().n_unique()
    first = [] if counted else [pl.col(FIRST).min()]
    classes = frame.with_row_index(FIRST).group_by(names).agg(size.alias(SIZE), *first)
    return classes.filter(pl.col(SIZE) < k).sort(SIZE, *(names if counted else [FIRST]))


def vector_of(row: dict[str, Any], columns: tuple[str, ...]) -> str:
    """The values of a class, to be read by a person."""
    return ", ".join(f"{name}={row[name]}" for name in columns)


def line_of(row: dict[str, Any]) -> int | None:
    """The line of a class's first row in a file with a header, if it is known."""
    return int(row[FIRST]) + 2 if FIRST in row else None


def require_parameter(good: bool, name: str, value: float, needed: Text) -> None:
    """Fail if a parameter would make the rule prove nothing."""
    if not good:
        raise UsageError(
            f"{name} must be {needed.en}, not {value}",
            f"{name} は{needed.ja}でなければなりません ({value})",
        )
