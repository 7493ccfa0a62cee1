"""What an attacker has. For tables: rows of the original with some of their columns."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.tables.data.table import Table


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The strongest attacker on tables knows every row and column of the original."""

    table: Table

    @property
    def rows(self) -> int:
        """How many people the attacker knows."""
        return self.table.rows
