"""What a rule is."""

from __future__ import annotations

from typing import ClassVar, Protocol

from tokumei.core.errors import Fault
from tokumei.tables.data.table import Table


class Rule(Protocol):
    """A property that a submission has or has not; its parameters are dataclass fields."""

    name: ClassVar[str]

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """Every violation, the worst first; `source` for rules that compare with the original."""
        ...
