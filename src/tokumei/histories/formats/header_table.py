"""A history with a header: any table whose columns are, or are named, customer, day, item, …

history = HeaderTable(columns={"customer": "CustomerID", "day": "Date"}).read("sales.csv")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tokumei.core.errors import UnknownNameError
from tokumei.core.text import Text
from tokumei.files.containers import MAX_BYTES, AnyPath
from tokumei.files.reading import load
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.layout import HistoryLayout


@dataclass(frozen=True, kw_only=True)
class HeaderTable(HistoryLayout):
    """`columns`: what the file calls customer, day, item, price, quantity."""

    name: ClassVar[str] = "table"
    title: ClassVar[Text] = Text("a table with a header", "見出しのある表")
    on_spark: ClassVar[bool] = True

    columns: Mapping[str, str] = field(default_factory=dict)
    sep: str | None = None
    encoding: str = "auto"

    def __post_init__(self) -> None:
        for own in self.columns:
            if own not in COLUMNS:
                raise UnknownNameError(Text("column of a history", "履歴の列"), own, COLUMNS)

    def read(self, path: AnyPath) -> History:
        """The purchases in a file; all cells that cannot be read are listed."""
        loaded = load(path, self.sep, self.encoding, MAX_BYTES)
        return History.of(loaded.frame, where=str(path), line_of=loaded.line_of, **self.columns)
