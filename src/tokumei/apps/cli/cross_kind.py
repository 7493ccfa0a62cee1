"""Commands that need two kinds of data; kinds do not import each other.

Any purchase history can be released under changing pseudonyms, and known in part as one that is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.messages import Message
from tokumei.histories.commands.history_file import HistoryFileCommand
from tokumei.pseudonyms.commands.knowledge import DrawKnowledge
from tokumei.pseudonyms.commands.lifetime import LifetimeCommand

if TYPE_CHECKING:
    from tokumei.files.atomic_write import Output
    from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
    from tokumei.pseudonyms.services.requests import PeriodSource


@dataclass(frozen=True, kw_only=True)
class HistoryLifetimeCommand(LifetimeCommand, HistoryFileCommand):
    """How long pseudonyms of a plain purchase history may live."""

    about: ClassVar = Message("Histories need no --master: their customers have no attributes.")

    def period_source(self) -> tuple[PeriodSource, list[Message]]:
        """The purchases, month by month."""
        from tokumei.pseudonyms.services.requests import PeriodSource

        self.spare(self.data)
        read = self.read()
        return PeriodSource(data=read.history), read.notes


@dataclass(frozen=True, kw_only=True)
class HistoryKnowledgeCommand(DrawKnowledge, HistoryFileCommand):
    """What an attacker knows of a plain purchase history."""

    about: ClassVar = Message("Histories have neither invoice nor time.")

    def true_rows(self) -> PeriodRows:
        """The rows as text; what a history does not have is empty."""
        import polars as pl

        from tokumei.histories.data.generalized_history import format_history
        from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows

        history_cells = format_history(self.read().history)
        padded_cells = history_cells.with_columns(
            pl.lit("").alias("invoice"), pl.lit("").alias("time")
        )
        return PeriodRows(padded_cells.select(PERIOD_COLUMNS))

    def known_rows_output(self, known: PeriodRows) -> Output:
        """The rows that are known."""
        from tokumei.histories.data.history import COLUMNS
        from tokumei.histories.formats.layout import history_layout

        cells = known.take(known.kept).cells.select(COLUMNS)
        return history_layout(self.format).rows_output(cells, self.out)
