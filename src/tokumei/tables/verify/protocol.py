"""What a rule for tables is."""

from __future__ import annotations

from typing import ClassVar, Protocol

from tokumei.core import words
from tokumei.core.text import Text
from tokumei.core.words import MOST_NAMED, columns_text
from tokumei.tables.data.table import Table


class Rule(words.Rule[Table], Protocol):
    """A property that a released table has or has not."""

    columns: tuple[str, ...]
    """The columns that it is about."""
    claim: ClassVar[Text] = Text("", "")
    """The property in words; fields: the parameters, and what `figures` gives instead of some."""

    def words(self, most: int = MOST_NAMED) -> Text:
        """The claim with its parameters; more columns than `most` are counted, not listed."""
        columns = columns_text(self.columns, most=most)
        sensitive = columns_text(getattr(self, "sensitive", ()), most=most)
        figures = {**vars(self), **self.figures()}
        return Text(
            self.claim.en.format(**{**figures, "columns": columns.en, "sensitive": sensitive.en}),
            self.claim.ja.format(**{**figures, "columns": columns.ja, "sensitive": sensitive.ja}),
        )

    def figures(self) -> dict[str, str]:
        """Parameters as people read them, for the words."""
        return {}
