"""U6 nrow: how many rows are gone, and the share that is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.levels import ROWS_KEPT_LIMITS, Limits
from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.protocol import Measure, Unbounded


@dataclass(frozen=True)
class RowsLost(Unbounded):
    """|X| − |Y|."""

    name: ClassVar[str] = "U6"
    title: ClassVar[Text] = Text("Rows deleted", "削除された行数")
    sentence: ClassVar[Text] = Text("How many rows were deleted.", "削除された行の数を示します。")
    formula: ClassVar[str] = "|X| − |Y|"
    says: ClassVar[Text] = Text(
        "{value} rows were deleted{relative}.", "{value} 行が削除されました{relative}。"
    )
    unchanged: ClassVar[Text] = Text("No row was deleted.", "削除された行はありません。")
    relative: ClassVar[Text] = Text("the original", "元データ")
    limits: ClassVar[Limits] = Limits(0.01, 0.10)
    """The other side of the rows kept: 1 % and 10 % of all rows."""
    unit: ClassVar[Text] = Text("rows", "行")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(float(case.original_rows - case.released_rows), sample=case.original_rows)

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """The rows of the original."""
        return float(case.original.rows)


@dataclass(frozen=True)
class RowsKept(Measure):
    """|Y| / |X|: stands beside every loss, because a loss over few rows is easily small."""

    name: ClassVar[str] = "rows_kept"
    title: ClassVar[Text] = Text("Share of rows kept", "残った行の割合")
    sentence: ClassVar[Text] = Text(
        "The share of rows that are still there.", "残っている行の割合を示します。"
    )
    formula: ClassVar[str] = "|Y| / |X|"
    says: ClassVar[Text] = Text("{value} of the rows are kept.", "{value} の行が残っています。")
    heading: ClassVar[Text] = Text("Rows kept", "残った行")
    caption: ClassVar[Text] = Text("of the rows are kept", "残っている行の割合")
    limits: ClassVar[Limits] = ROWS_KEPT_LIMITS
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Text] = Text("share", "割合")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(case.released_rows / case.original_rows, sample=case.original_rows)
