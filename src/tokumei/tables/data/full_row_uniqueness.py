"""How many rows are alone with all their public cells, in words."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tokumei.core.message_lines import indent_message
from tokumei.core.messages import Message
from tokumei.tables.data.weighted_rows import class_sizes


@dataclass(frozen=True)
class FullRowUniqueness:
    """The classes of rows that are equal in every public column."""

    smallest: int
    alone: int
    rows: int

    @classmethod
    def of(cls, frame: pl.DataFrame) -> FullRowUniqueness:
        """How many rows share all their cells."""
        if not frame.width or not frame.height:
            return cls(0, 0, frame.height)
        sizes = class_sizes(frame)
        return cls(int(sizes.min()), int((sizes == 1).sum()), frame.height)

    def words(self) -> Message:
        """A sentence: what somebody who knows every public column can tell apart."""
        smallest_class = Message(
            "all public columns together: the smallest class has {count} row",
            plural="all public columns together: the smallest class has {count:,} rows",
            count=self.smallest,
        )
        if not self.alone:
            return indent_message(smallest_class)
        unique_rows = Message(
            "{count} of {rows:,} rows is unique",
            plural="{count:,} of {rows:,} rows are unique",
            count=self.alone,
            rows=self.rows,
        )
        finding = Message(
            "{smallest_class}; {unique_rows}",
            smallest_class=smallest_class,
            unique_rows=unique_rows,
        )
        return indent_message(finding)
