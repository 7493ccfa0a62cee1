"""What people ask for: attributes that are not shown of them, and a k of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.protocol import Rule

SUPPRESSED = "*"


@dataclass(frozen=True)
class HiddenCells(Rule):
    """Looks at every cell that the column `hide` names; names are separated by ; or a comma."""

    name: ClassVar[str] = "hidden-cells"
    title: ClassVar[Text] = Text("what people want hidden", "本人が隠す属性")
    sentence: ClassVar[Text] = Text(
        "Attributes that a person asks to be hidden are * in the person's row.",
        "本人が隠すよう求めた属性は、その人の行で * です。",
    )
    claim: ClassVar[Text] = Text(
        "of {columns}, what people ask to be hidden ({hide}) is * in their rows",
        "{columns}のうち、本人が隠すよう求めたもの ({hide}) はその行で * である",
    )

    columns: tuple[str, ...]
    hide: str

    def __post_init__(self) -> None:
        if not self.columns or self.hide in self.columns:
            raise UsageError(
                "hidden-cells needs QI columns and a column of their names that is none of them",
                "hidden-cells には準識別子と、その名前を書いた別の列が必要です",
            )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per cell that is shown."""
        submission.schema.require([*self.columns, self.hide])
        asked = submission.frame[self.hide].cast(pl.String)
        faults: list[Fault] = []
        for number, (cell, row) in enumerate(
            zip(asked, submission.frame.iter_rows(named=True), strict=True)
        ):
            named = {part.strip() for part in re.split("[;,、；，]", cell or "")}
            faults += [
                self._fault(number + 1, name)
                for name in self.columns
                if name in named and row[name] != SUPPRESSED
            ]
        return faults

    def _fault(self, row: int, column: str) -> Fault:
        message = Text(
            f"row {row}: '{column}' is shown although the person asks to have it hidden",
            f"{row} 行目: 本人が隠すよう求めた '{column}' が残っています",
        )
        return Fault(rule=self.name, column=column, message=message)


@dataclass(frozen=True)
class PersonalK(Rule):
    """Counts the rows of every class, and compares with the largest number asked for in it.

    An empty cell asks for nothing; a cell that is not a number is a fault.
    """

    name: ClassVar[str] = "personal-k"
    title: ClassVar[Text] = Text("a k of everybody's own", "人ごとの k")
    sentence: ClassVar[Text] = Text(
        "The class of every person has as many rows as the person asks for.",
        "どの人のクラスにも、その人が求める数以上の行があります。",
    )
    claim: ClassVar[Text] = Text(
        "every combination of {columns} occurs in as many rows as its people ask for ({personal})",
        "{columns}の組み合わせは、含まれる人が求める数 ({personal}) 以上の行がある",
    )

    columns: tuple[str, ...]
    personal: str

    def __post_init__(self) -> None:
        if not self.columns or self.personal in self.columns:
            raise UsageError(
                "personal-k needs QI columns and a column of numbers that is none of them",
                "personal-k には準識別子と、それ以外の数の列が必要です",
            )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class with too few rows, and per cell that is no number."""
        submission.schema.require([*self.columns, self.personal])
        asked = submission.frame[self.personal].cast(pl.String)
        rows: dict[tuple[object, ...], int] = {}
        most: dict[tuple[object, ...], int] = {}
        faults: list[Fault] = []
        vectors = submission.frame.select(self.columns).iter_rows()
        for number, (vector, cell) in enumerate(zip(vectors, asked, strict=True)):
            rows[vector] = rows.get(vector, 0) + 1
            try:
                most[vector] = max(most.get(vector, 0), int(float(cell or 0)))
            except (ValueError, OverflowError):
                faults.append(self._no_number(number + 1, str(cell)))
        small = [vector for vector, count in rows.items() if count < most.get(vector, 0)]
        return faults + [self._fault(vector, rows[vector], most[vector]) for vector in small]

    def _fault(self, vector: tuple[object, ...], rows: int, asked: int) -> Fault:
        shown = ", ".join(map(str, vector))
        message = Text(
            f"({shown}) occurs in {rows} row(s), but somebody in it asks for {asked}",
            f"({shown}) は {rows} 行ですが、{asked} 行を求める人がいます",
        )
        return Fault(rule=self.name, column=self.personal, message=message)

    def _no_number(self, row: int, cell: str) -> Fault:
        message = Text(
            f"row {row}: '{cell}' is not a number of people",
            f"{row} 行目: '{cell}' は人数ではありません",
        )
        return Fault(rule=self.name, column=self.personal, message=message)
