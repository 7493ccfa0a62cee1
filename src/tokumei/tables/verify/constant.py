"""Unified columns hold one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class Constant:
    """Every named column has a single value."""

    name: ClassVar[str] = "constant"

    columns: tuple[str, ...]

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per column with more than one value."""
        submission.schema.require(self.columns)
        counts = {name: submission.frame[name].n_unique() for name in self.columns}
        return [
            Fault(
                rule=self.name,
                column=name,
                message=Text(
                    f"column '{name}' has {count} values; one was promised",
                    f"列 '{name}' に {count} 種の値があります。1 種のはずです",
                ),
            )
            for name, count in counts.items()
            if count > 1
        ]
