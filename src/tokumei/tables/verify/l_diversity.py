"""Distinct l-diversity: every class shows at least l different values of a sensitive column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.protocol import Rule


@dataclass(frozen=True)
class LDiversity(Rule):
    """Counts the distinct values of each sensitive column in every class."""

    name: ClassVar[str] = "l-diversity"
    title: ClassVar[Text] = Text("l-diversity", "l-多様性")
    sentence: ClassVar[Text] = Text(
        "Every class shows at least l different sensitive values.",
        "どのクラスにも、機密属性の値が l 種類以上あります。",
    )

    l: int  # noqa: E741  the literature's name
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.l < 2:
            raise UsageError(
                Text(
                    f"l must be at least 2, not {self.l}",
                    f"l は 2 以上でなければなりません ({self.l})",
                )
            )
        if not self.columns or not self.sensitive:
            raise UsageError(
                Text(
                    "l-diversity needs QI and SA columns",
                    "l-多様性には準識別子と機密属性が必要です",
                )
            )

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"every class shows at least {self.l} different values of {sensitive.en}",
            f"どのクラスにも{sensitive.ja}の値が {self.l} 種類以上ある",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class and sensitive column with too few values."""
        submission.schema.require([*self.columns, *self.sensitive])
        return [fault for column in self.sensitive for fault in self._column(submission, column)]

    def _column(self, submission: Table, column: str) -> list[Fault]:
        names = list(self.columns)
        poor = (
            submission.frame.with_row_index("tokumei_row")
            .group_by(names)
            .agg(pl.col(column).n_unique().alias("tokumei_count"), pl.col("tokumei_row").min())
            .filter(pl.col("tokumei_count") < self.l)
            .sort("tokumei_count", "tokumei_row")
        )
        return [self._fault(row, column) for row in poor.iter_rows(named=True)]

    def _fault(self, row: dict[str, object], column: str) -> Fault:
        vector = ", ".join(f"{name}={row[name]}" for name in self.columns)
        count, line = row["tokumei_count"], int(str(row["tokumei_row"])) + 2
        return Fault(
            rule=self.name,
            line=line,
            column=column,
            message=Text(
                f"the class ({vector}) has {count} value(s) of '{column}'; l = {self.l} needed",
                f"クラス ({vector}) の '{column}' は {count} 種です。l = {self.l} が必要です",
            ),
        )
