"""No identifier column leaves the building."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.protocol import Rule


@dataclass(frozen=True)
class NoIdentifiers(Rule):
    """The public part has none of the named columns."""

    name: ClassVar[str] = "no-identifiers"
    title: ClassVar[Text] = Text("No identifiers", "識別子なし")
    sentence: ClassVar[Text] = Text(
        "None of the identifier columns is left.", "識別子の列は残っていません。"
    )

    columns: tuple[str, ...]

    def words(self) -> Text:
        """The claim with its parameters."""
        return Text("no identifier is left", "識別子が残っていない")

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
