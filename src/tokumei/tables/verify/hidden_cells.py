"""Attributes that a person wants hidden are not shown of them."""

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
