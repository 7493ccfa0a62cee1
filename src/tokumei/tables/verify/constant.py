"""Unified columns hold one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.protocol import Rule


@dataclass(frozen=True)
class Constant(Rule):
    """Every named column has a single value."""

    name: ClassVar[str] = "constant"
    title: ClassVar[Text] = Text("One value only", "値の統一")
    sentence: ClassVar[Text] = Text(
        "Each of the columns has a single value.", "指定した列の値は、それぞれ 1 種類だけです。"
    )

    columns: tuple[str, ...]

    def words(self) -> Text:
        """The claim with its parameters."""
        columns = columns_text(self.columns)
        return Text(
            f"{columns.en}: one value only",
            f"{columns.ja}の値は 1 種類だけである",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per column with more than one value."""
        submission.schema.require(self.columns)
        counts = {name: submission.frame[name].n_unique() for name in self.columns}
        return [
            Fault(
                rule=self.name,
                column=name,
                message=Text(
                    f"column '{name}' has {count} values; the claim says one",
                    f"列 '{name}' に {count} 種類の値があります。主張では 1 種類です",
                ),
            )
            for name, count in counts.items()
            if count > 1
        ]
