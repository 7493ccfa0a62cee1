"""k-anonymity: every vector of the columns occurs at least k times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from tokumei.data.table import Table
from tokumei.errors import Fault, UsageError
from tokumei.text import Text


@dataclass(frozen=True)
class KAnonymity:
    """Counts the rows of every distinct vector, as text in the file."""

    name: ClassVar[str] = "k-anonymity"

    k: int
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.k < 2:
            raise UsageError(
                Text(
                    f"k must be at least 2, not {self.k}",
                    f"k は 2 以上でなければなりません ({self.k})",
                )
            )
        if not self.columns:
            raise UsageError(
                Text("name at least one column to count", "数える列を一つ以上指定してください")
            )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per vector that is too rare, the rarest first."""
        submission.schema.require(self.columns)
        names = list(self.columns)
        counted = (
            submission.frame.select(names)
            .with_row_index("tokumei_row")
            .group_by(names)
            .agg(pl.len().alias("tokumei_count"), pl.col("tokumei_row").min())
            .filter(pl.col("tokumei_count") < self.k)
            .sort("tokumei_count", "tokumei_row")
        )
        return [self._fault(row) for row in counted.iter_rows(named=True)]

    def _fault(self, row: dict[str, object]) -> Fault:
        vector = ", ".join(f"{name}={row[name]}" for name in self.columns)
        count, line = row["tokumei_count"], int(str(row["tokumei_row"])) + 2
        return Fault(
            rule=self.name,
            line=line,
            message=Text(
                f"only {count} row(s) have ({vector}), first on line {line}; k = {self.k} needed",
                f"({vector}) は {count} 行しかありません (最初は {line} 行目)。"
                f"k = {self.k} が必要です",
            ),
        )
