"""k identical histories: everyone released has the same rows as at least k − 1 others.

    IdenticalHistories(k=6).check(release.public)
    identical_on_spark(rows, 6).faults      # counted on a cluster from the rows that were written

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

from tokumei.core.claims import Found
from tokumei.core.errors import LISTED, Fault, UsageError
from tokumei.core.text import Text
from tokumei.core.words import Rule
from tokumei.files.contest_faults import require_columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class HistoryRule(Rule[pl.DataFrame], Protocol):
    """A property that a released history has or has not, seen in its public rows."""


_CELLS = ("day", "item", "price", "quantity")
_COLUMNS = ("customer", *_CELLS)
_ROW = "tokumei_row"
NOBODY = Fault(
    rule="rows", message=Text("the public file has no rows", "公開ファイルに行がありません")
)
"""What is wrong with a file in which there is no one to be alike."""


@dataclass
class _Class:
    """People with identical histories: the first of them and how many they are."""

    person: str
    row: int
    size: int = 0


@dataclass(frozen=True)
class IdenticalHistories(HistoryRule):
    """Every history occurs k times or more among the pseudonyms of a public file."""

    name: ClassVar[str] = "identical-histories"
    title: ClassVar[Text] = Text("k identical histories", "k 人の同一履歴")
    sentence: ClassVar[Text] = Text(
        "Every released history is shared by at least k people.",
        "公開される履歴は、どれも k 人以上で同じものになっています。",
    )

    k: int

    def __post_init__(self) -> None:
        if self.k < 2:
            raise UsageError(
                f"k must be at least 2, not {self.k}", f"k は 2 以上でなければなりません ({self.k})"
            )

    def words(self) -> Text:
        """The claim with its parameters."""
        return Text(
            f"every released history is shared by at least {self.k} people",
            f"公開される履歴は、どれも {self.k} 人以上で同じである",
        )

    def check(
        self, submission: pl.DataFrame, *, source: object = None, first_line: int = 1
    ) -> list[Fault]:
        """One fault per class of fewer than k people, the smallest first."""
        classes: dict[bytes, _Class] = {}
        for person, row, history in _histories(submission):
            alike = classes.setdefault(history, _Class(person, row))
            alike.size += 1
            if row < alike.row:
                alike.person, alike.row = person, row
        small = [alike for alike in classes.values() if alike.size < self.k]
        small.sort(key=lambda alike: (alike.size, alike.row))
        return [self.fault(one.person, one.size, first_line + one.row) for one in small]

    def fault(self, person: str, people: int, line: int | None = None) -> Fault:
        """That so few have the history of a person, which first stands on this line."""
        en, ja = ("", "") if line is None else (f", first on line {line}", f" (最初は {line} 行目)")
        message = Text(
            f"only {people} person(s) have the history of '{person}'{en}; k = {self.k} needed",
            f"'{person}' と同じ履歴の人は {people} 人しかいません{ja}。k = {self.k} が必要です",
        )
        return Fault(rule=self.name, line=line, column="customer", message=message)


def _histories(frame: pl.DataFrame) -> Iterator[tuple[str, int, bytes]]:
    """Every person, the first row, and all rows' numbers in order."""
    require_columns(frame, _COLUMNS)
    cells = [name for name in frame.columns if name != "customer"]
    rows = frame.with_row_index(_ROW)
    rows = rows.filter(~pl.all_horizontal(pl.col(frame.columns) == "*").fill_null(False))
    if rows.is_empty():
        return
    number, _ = _numbers(rows, cells)
    person, first = _numbers(rows, ["customer"])
    order = np.lexsort((number, person))
    ends = np.cumsum(np.bincount(person))
    names = rows["customer"].gather(first).to_list()
    places = rows[_ROW].gather(first).to_list()
    sorted_numbers = number[order]
    for i, end in enumerate(ends):
        start = int(ends[i - 1]) if i else 0
        yield str(names[i]), places[i], sorted_numbers[start:end].tobytes()


def _numbers(rows: pl.DataFrame, columns: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The same number for rows with the same cells, and the first row of every number."""
    cells = rows.select(columns).with_row_index(_ROW)
    members = cells.group_by(columns).agg(_ROW)[_ROW]
    sizes = members.list.len().to_numpy()
    number = np.empty(rows.height, dtype=np.int64)
    number[members.explode().to_numpy()] = np.repeat(np.arange(len(sizes)), sizes)
    return number, members.list.min().to_numpy()


_HISTORY, _PEOPLE, _PERSON = "tokumei_history", "tokumei_people", "tokumei_person"


def identical_on_spark(rows: DataFrame, k: int) -> Found:
    """The histories that fewer than k people have, and how many rows are not deleted."""
    from pyspark.sql import functions as f

    deleted = f.lit(True)
    for name in _COLUMNS:
        deleted &= f.col(name).eqNullSafe("*")
    purchases = f.sort_array(f.collect_list(f.struct(*_CELLS)))
    people = rows.where(~deleted).groupBy("customer").agg(purchases.alias(_HISTORY))
    alike = people.groupBy(_HISTORY).agg(
        f.count("*").alias(_PEOPLE), f.min("customer").alias(_PERSON)
    )
    small = f.col(_PEOPLE) < IdenticalHistories(k).k
    kept = f.coalesce(f.sum(f.col(_PEOPLE) * f.size(_HISTORY)), f.lit(0))
    counted = alike.agg(kept, f.count_if(small)).head()
    assert counted is not None
    faults = []
    if counted[1]:
        listed = alike.where(small).orderBy(_PEOPLE, _PERSON).limit(LISTED)
        shown = listed.select(_PERSON, _PEOPLE).collect()
        faults = [IdenticalHistories(k).fault(one[0], one[1]) for one in shown]
    return Found(faults, counted[1], counted[0])
