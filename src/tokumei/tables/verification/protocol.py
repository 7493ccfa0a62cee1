"""Protocol of claim checks for tables."""

from __future__ import annotations

from typing import ClassVar, Protocol

from tokumei.core import described
from tokumei.core.described import MAX_NAMED_COLUMNS, format_column_names
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table


class TableClaimCheck(described.ClaimCheck[Table], Protocol):
    """A property that a released table has or has not."""

    columns: tuple[str, ...]
    """The columns that it is about."""
    claim: ClassVar[Message] = Message("", "")
    """The property in words; fields: the parameters, and what `figures` gives instead of some."""

    def words(self, most: int = MAX_NAMED_COLUMNS) -> Message:
        """The claim with its parameters; more columns than `most` are counted, not listed."""
        columns = format_column_names(self.columns, most=most)
        sensitive = format_column_names(getattr(self, "sensitive", ()), most=most)
        figures = {**vars(self), **self.figures()}
        return Message(
            self.claim.en.format(**{**figures, "columns": columns.en, "sensitive": sensitive.en}),
            self.claim.ja.format(**{**figures, "columns": columns.ja, "sensitive": sensitive.ja}),
        )

    def figures(self) -> dict[str, str]:
        """Parameters as people read them, for the words."""
        return {}
