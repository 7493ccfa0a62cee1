"""`tokumei unicity` of a history: whom a few known purchases single out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.text import Text
from tokumei.histories.ask.inputs import HistoryFile
from tokumei.report.unicity_ask import AskUnicity

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, kw_only=True)
class UnicityOfHistory(AskUnicity, HistoryFile):
    """Measure the unicity of a history."""

    examples: ClassVar = (
        "tokumei unicity --data T.csv --format pws2018 --points 1-4 --by item,day "
        "--by item:2,month",
    )

    def purchases(self) -> tuple[pl.DataFrame, list[Text]]:
        """The history's rows."""
        from tokumei.histories.flow import points

        self.spare(self.data)
        history, notes = self.read()
        return points(history), notes
