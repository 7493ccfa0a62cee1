"""No identifier column leaves the building."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class NoIdentifiers:
    """The public part has none of the named columns."""

    name: ClassVar[str] = "no-identifiers"

    columns: tuple[str, ...]

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per identifier that is still there."""
        return [
            Fault(
                rule=self.name,
                column=name,
                message=Text(
                    f"the identifier '{name}' is still in the public part",
                    f"識別子 '{name}' が公開部分に残っています",
                ),
            )
            for name in self.columns
            if name in submission.schema.names
        ]
