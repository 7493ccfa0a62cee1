"""k-anonymity counted in people: every class has rows of at least k different persons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_values import class_vector, require_parameter
from tokumei.tables.verify.k_anonymity import KAnonymity
from tokumei.tables.verify.protocol import Rule


@dataclass(frozen=True)
class KPerPerson(Rule):
    """Counts the different values of a person column in every class.

    Ten rows of one person are one person. A row whose person is missing counts for nobody.

    A release does not show the persons. Then `rows` is how many rows it had when they were counted,
    and what can still be seen is checked: as many rows, and k of them in every class.
    """

    name: ClassVar[str] = "k-per-person"
    title: ClassVar[Text] = Text("k-anonymity per person", "人単位の k-匿名性")
    sentence: ClassVar[Text] = Text(
        "Every class has rows of at least k different persons.",
        "どのクラスにも、k 人以上の異なる人の行があります。",
    )

    k: int
    columns: tuple[str, ...]
    person: str
    rows: int | None = None

    def __post_init__(self) -> None:
        require_parameter(self.k >= 2, "k", self.k, Text("at least 2", " 2 以上"))
        if not self.columns or self.person in self.columns:
            raise UsageError(
                Text(
                    "k-per-person needs QI columns and a person column that is none of them",
                    "k-per-person には準識別子と、それ以外の個人の列が必要です",
                )
            )

    def words(self) -> Text:
        """The claim with its parameters."""
        columns = columns_text(self.columns)
        return Text(
            f"every combination of {columns.en} has rows of at least {self.k} persons",
            f"{columns.ja}の組み合わせは、どれも {self.k} 人以上の行を含む",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class with too few persons, the fewest first."""
        if self.rows is not None and self.person not in submission.schema.names:
            return self._without_persons(submission, self.rows)
        submission.schema.require([*self.columns, self.person])
        counted = (
            submission.frame.with_row_index("tokumei_row")
            .group_by(list(self.columns))
            .agg(
                pl.col(self.person).drop_nulls().n_unique().alias("tokumei_count"),
                pl.col("tokumei_row").min(),
            )
            .filter(pl.col("tokumei_count") < self.k)
            .sort("tokumei_count", "tokumei_row")
        )
        pairs = counted.select("tokumei_count", "tokumei_row").iter_rows()
        return [self._fault(submission, count, row) for count, row in pairs]

    def _without_persons(self, submission: Table, rows: int) -> list[Fault]:
        small = KAnonymity(self.k, self.columns).check(submission)
        faults = [Fault(rule=self.name, line=f.line, message=f.message) for f in small]
        if submission.rows != rows:
            changed = Text(
                f"persons were counted in {rows} rows, but there are {submission.rows}",
                f"人数は {rows} 行で数えられましたが、現在は {submission.rows} 行です",
            )
            faults.insert(0, Fault(rule=self.name, message=changed))
        return faults

    def _fault(self, submission: Table, count: int, row: int) -> Fault:
        vector = class_vector(submission, self.columns, row)
        return Fault(
            rule=self.name,
            line=row + 2,
            column=self.person,
            message=Text(
                f"the class ({vector}), first on line {row + 2}, has rows of only {count} "
                f"person(s) by '{self.person}'; k = {self.k} needed",
                f"クラス ({vector}) (最初は {row + 2} 行目) には '{self.person}' で数えて "
                f"{count} 人しかいません。k = {self.k} が必要です",
            ),
        )
