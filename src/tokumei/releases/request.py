"""The request of `tokumei release`: a table, its recipient, and what the owner says of columns."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from tokumei.core.scenario import ColumnKnowledge, Recipient
from tokumei.tables.services.requests import TableRequest

NONE = "none"
"""The recipient knows no column."""


@dataclass(frozen=True, kw_only=True)
class ReleaseTable:
    """A table, who gets it, and what its owner says.

    Of `table`, `id` are columns to drop, `passed` columns to release although they are in doubt,
    `person` the column that tells people apart. `knows`: the columns that the recipient may know
    of a person, roughly as `date~30d`; None: those that look like it. `keep`: columns that matter
    most. `key`: 256 random bits that repeat the release; None: drawn anew.
    """

    table: TableRequest = field(default_factory=TableRequest)
    recipient: Recipient = "partner"
    keep: tuple[str, ...] = ()
    knows: tuple[str, ...] | None = None
    key: int | None = field(default=None, repr=False)

    def knowledge(self, names: Collection[str]) -> tuple[ColumnKnowledge, ...] | None:
        """What the recipient may know, as far as the owner said; `names` are those of the table."""
        if self.knows is None:
            return None
        if self.knows == (NONE,) and NONE not in names:
            return ()
        return tuple(
            ColumnKnowledge(text) if text in names else ColumnKnowledge.parse(text)
            for text in self.knows
        )
