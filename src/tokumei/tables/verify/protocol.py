"""What a rule for tables is."""

from __future__ import annotations

from typing import Protocol

from tokumei.core import words
from tokumei.tables.data.table import Table


class Rule(words.Rule[Table], Protocol):
    """A property that a released table has or has not."""

    columns: tuple[str, ...]
    """The columns that it is about."""
