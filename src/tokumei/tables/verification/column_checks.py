"""Checks whole columns: unified ones hold one value, no identifier is released."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.errors import Violation
from tokumei.core.messages import Message
from tokumei.tables.data.table import Table
from tokumei.tables.verification.protocol import TableClaimCheck


@dataclass(frozen=True)
class Constant(TableClaimCheck):
    """Every named column has a single value."""

    name: ClassVar[str] = "constant"
    title: ClassVar[Message] = Message("One value only")
    sentence: ClassVar[Message] = Message("Each of the columns has a single value.")
    claim: ClassVar[Message] = Message("{columns}: one value only")

    columns: tuple[str, ...]

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per column with more than one value."""
        submission.schema.require(self.columns)
        counts = {name: submission.frame[name].n_unique() for name in self.columns}
        return [
            Violation(
                rule=self.name,
                column=name,
                message=Message(
                    "column '{column}' has {values} values; the claim says one",
                    column=name,
                    values=count,
                ),
            )
            for name, count in counts.items()
            if count > 1
        ]


@dataclass(frozen=True)
class NoIdentifiers(TableClaimCheck):
    """The public part has none of the named columns."""

    name: ClassVar[str] = "no-identifiers"
    title: ClassVar[Message] = Message("No identifiers")
    sentence: ClassVar[Message] = Message("None of the columns dropped as identifiers is left.")
    claim: ClassVar[Message] = Message("dropped and not in the file: {columns}")

    columns: tuple[str, ...]

    def check(self, submission: Table, *, source: Table | None = None) -> list[Violation]:
        """One fault per identifier that is still there."""
        return [
            Violation(
                rule=self.name,
                column=name,
                message=Message("the identifier '{name}' is still in the public part", name=name),
            )
            for name in self.columns
            if name in submission.schema.names
        ]
