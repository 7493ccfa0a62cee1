"""What rules about classes share: a class is the rows with one vector of the columns.

    class Mixed(ClassRule):
        name = "mixed"
        def findings(self, found): ...      # the classes that break it, and how, the worst first

    for found in class_values(submission, ("age", "sex"), ("illness",)):
        found.size[found.owner]      # rows of the class of each entry

Only values that occur in a class have an entry, so memory grows with the rows, not with
classes × values. Missing is a value of its own, unless a rule says otherwise. A row may stand for
many (see `data/counted.py`); then it has no line of its own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.fields import field_name
from tokumei.core.text import Text
from tokumei.tables.data.counted import COUNT, counts_of
from tokumei.tables.data.table import Table
from tokumei.tables.verify.protocol import Rule

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
        kept = ~empty.to_numpy()[self.value]
        return replace(self, owner=self.owner[kept], value=self.value[kept], count=self.count[kept])

    def value_of(self, entry: int) -> object:
        """The value of an entry."""
        return self.values[int(self.value[entry])]

    def fault(self, rule: str, place: int, finding: Text) -> Fault:
        """The fault of one class: its vector, its first line, and what was found."""
        row, cells = int(self.first[place]), self.submission.frame
        line = None if counts_of(cells) is not None else row + 2
        vector, at = vector_of(cells.row(row, named=True), self.columns), first_line(line)
        en, ja = (f"{at.en},", f"{at.ja} ") if line else ("", "")
        message = Text(
            f"the class ({vector}){en} has {finding.en}", f"クラス ({vector}){ja}は{finding.ja}"
        )
        return Fault(rule=rule, line=line, column=self.column, message=message)


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


SIZE, FIRST = "tokumei_count", "tokumei_row"


class Demand(NamedTuple):
    """What a parameter must be, so that the rule proves something."""

    holds: Callable[[float], bool]
    words: Text


AT_LEAST_2 = Demand(lambda value: value >= 2, Text("at least 2", " 2 以上"))
ABOVE_0 = Demand(lambda value: 0 < value < inf, Text("a number above 0", " 0 より大きい数"))


Findings = Iterator[tuple[int, Text]]
"""Classes that break a rule, each with what it has."""


class ClassRule(Rule):
    """Base of the rules that look at the sensitive values of every class."""

    sensitive: tuple[str, ...]
    demands: ClassVar[Mapping[str, Demand]]
    """By parameter, what it must be."""

    def __post_init__(self) -> None:
        require_parameters(self, self.demands)
        if not self.columns or not self.sensitive:
            qi, sa = field_name("qi"), field_name("sa")
            raise UsageError(
                f"{self.name} needs quasi-identifiers ({qi}) and sensitive columns ({sa})",
                f"{self.title.ja}には準識別子 ({qi}) と機密属性 ({sa}) の指定が必要です",
                field="sa" if self.columns else "qi",
            )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class and sensitive column that breaks the rule, the worst first."""
        return [
            found.fault(self.name, place, finding)
            for found in class_values(submission, self.columns, self.sensitive)
            for place, finding in self.findings(found)
        ]

    def findings(self, found: ClassValues) -> Findings:
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
        frame = frame.with_columns(_merge_spellings(frame[person]))
        size = pl.col(person).drop_nulls().n_unique()
    first = [] if counted else [pl.col(FIRST).min()]
    classes = frame.with_row_index(FIRST).group_by(names).agg(size.alias(SIZE), *first)
    return classes.filter(pl.col(SIZE) < k).sort(SIZE, *(names if counted else [FIRST]))


def _merge_spellings(persons: pl.Series) -> pl.Series:
    """One value for all spellings of a person; written apart from what the methods use."""
    spelled = persons.cast(pl.String)
    known = spelled.drop_nulls().unique().to_list()
    return spelled.replace_strict(known, [merge_spelling(text) for text in known], default=None)


def merge_spelling(text: str | None) -> str | None:
    """The one spelling of a person; None: nobody is named."""
    if text is None:
        return None
    plain = "".join(unicodedata.normalize("NFKC", text).lower().split())
    whole, _, fraction = plain.removeprefix("+").partition(".")
    if whole.isdecimal() and not fraction.strip("0"):
        return whole.lstrip("0") or "0"
    return plain or None


def vector_of(row: dict[str, Any], columns: tuple[str, ...]) -> str:
    """The values of a class, to be read by a person."""
    return ", ".join(f"{name}={row[name]}" for name in columns)


def line_of(row: dict[str, Any]) -> int | None:
    """The line of a class's first row in a file with a header, if it is known."""
    return int(row[FIRST]) + 2 if FIRST in row else None


def first_line(line: int | None) -> Text:
    """Where a class begins; nothing if that is not known."""
    return Text(f", first on line {line}", f" (最初は {line} 行目)") if line else Text("", "")


def require_parameters(rule: Rule, demands: Mapping[str, Demand]) -> None:
    """Fail if a parameter would make the rule prove nothing."""
    for name, needed in demands.items():
        value = getattr(rule, name)
        if not needed.holds(value):
            raise UsageError(
                f"{name} must be {needed.words.en}, not {value}",
                f"{name} は{needed.words.ja}でなければなりません ({value})",
            )
