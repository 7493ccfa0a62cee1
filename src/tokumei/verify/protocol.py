"""What a rule is."""

from __future__ import annotations

from typing import ClassVar, Protocol

from tokumei.data.table import Table
from tokumei.errors import Fault


class Rule(Protocol):
    """A property that a submission has or has not; its parameters are dataclass fields."""

    name: ClassVar[str]

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """Every violation, the worst first; `source` for rules that compare with the original."""
        ...
