"""Drops the identifiers and shuffles the rows; no cell is changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod


@dataclass(frozen=True)
class DropIdentifiers(TableMethod):
    """Identifiers go, rows are shuffled: for tables of which nobody knows a cell of a person."""

    name: ClassVar[str] = "drop-identifiers"
    title: ClassVar[Message] = Message("Drop the identifiers")
    sentence: ClassVar[Message] = Message(
        "Drops the identifiers and shuffles the rows; every other cell stays as it is."
    )
    leaves_open: ClassVar[Message] = Message(
        "Whoever knows a cell of somebody finds every row that has this cell."
    )

    @property
    def takes_compact(self) -> bool:
        """It looks at no cell."""
        return True

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Nothing: the identifiers are gone already, and the rows are shuffled afterwards."""
        return step
