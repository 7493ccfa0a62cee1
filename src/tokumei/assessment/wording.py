"""Names lists of columns in a sentence: a few, and how many more there are."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.messages import Message, join_messages

MAX_NAMED = 6
"""More columns than these are counted; the document lists all of them."""


def name_columns(names: Sequence[str]) -> Message:
    """The columns, or the first of them with the number of the others."""
    if len(names) <= MAX_NAMED:
        return join_messages(list(names))
    shown = MAX_NAMED - 1
    return Message(
        "{columns} and {number} more columns",
        columns=join_messages(list(names[:shown])),
        number=len(names) - shown,
    )
