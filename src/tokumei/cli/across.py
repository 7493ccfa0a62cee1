"""Commands that need two kinds of data, which do not know each other.

Any purchase history can be released under changing pseudonyms, and known in part as one that is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.text import Text
from tokumei.histories.ask.inputs import HistoryFile
from tokumei.pseudonyms.ask.knowledge import AskKnowledge
from tokumei.pseudonyms.ask.lifetime import AskLifetime

if TYPE_CHECKING:
    from tokumei.files.atomic import Output
    from tokumei.pseudonyms.data.history import PeriodHistory
    from tokumei.pseudonyms.data.rows import PeriodRows


@dataclass(frozen=True, kw_only=True)
class LifetimeOfHistory(AskLifetime, HistoryFile):
    """How long pseudonyms of a plain purchase history may live."""

    about: ClassVar = Text(
        "Histories need no --master: their customers have no attributes.",
        "履歴には --master は不要です (顧客に属性がありません)。",
    )

    def source(self) -> tuple[PeriodHistory, list[Text]]:
        """The purchases, month by month."""
        from tokumei.pseudonyms.data.history import periods_of

        self.spare(self.data)
        read = self.read()
        return periods_of(read.history), read.notes


@dataclass(frozen=True, kw_only=True)
class KnowledgeOfHistory(AskKnowledge, HistoryFile):
    """What an attacker knows of a plain purchase history."""

    about: ClassVar = Text(
        "Histories have neither invoice nor time.", "履歴には請求書番号も時刻もありません。"
    )

    def rows(self) -> PeriodRows:
        """The rows as text; what a history does not have is empty."""
        import polars as pl

        from tokumei.histories.data.general import history_text
        from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows

        text = history_text(self.read().history)
        blank = text.with_columns(pl.lit("").alias("invoice"), pl.lit("").alias("time"))
        return PeriodRows(blank.select(PERIOD_COLUMNS))

    def written(self, known: PeriodRows) -> Output:
        """The rows that are known."""
        from tokumei.histories.data.history import COLUMNS
        from tokumei.histories.formats.layout import history_layout

        cells = known.take(known.kept).cells.select(COLUMNS)
        return history_layout(self.format).rows_output(cells, self.out)
