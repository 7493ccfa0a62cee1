"""`tokumei advise` of a table: proposes candidate releases for a purpose, with reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.advice.purpose import Purpose
from tokumei.core.command import option
from tokumei.core.messages import Message
from tokumei.core.shared_options import encoding_option, sep_option
from tokumei.pages.advice_command import BaseAdviceCommand, parse_column_sets
from tokumei.tables.commands.options import header_row_option, person_option, sheet_option

if TYPE_CHECKING:
    from tokumei.core.advice.advice import Advice
    from tokumei.core.advice.adviser import Adviser


@dataclass(frozen=True, kw_only=True)
class AdviseTable(BaseAdviceCommand):
    """Advise on a table."""

    about: ClassVar = Message(
        "Which release? From the recipient, the columns that may be known and those that must "
        "stay, proposes candidates over methods, k and columns. Each is verified, measured and "
        "attacked, those that no other one beats are marked, and each comes with its reason. "
        "Nothing is released; no release is called lawful."
    )
    examples: ClassVar = (
        "tokumei advise people.csv --recipient partner --known age,sex,zip --keep income "
        "--seconds 60 --out advice.html",
        "tokumei advise people.csv --recipient public --predict income --steps 30 --json",
    )

    predict: str | None = option("a column that is to be predicted from the others", default=None)
    count: list[str] = option("columns of a table to be counted, repeatable: age,sex", default=[])
    model: list[str] | None = option(
        "privacy models that sensitive columns have to meet, repeatable: l=2 (none: no model)",
        default=None,
    )
    suppression: float | None = option("the share of rows that may be left out", default=None)
    person: str | None = person_option(or_none=True)
    sheet: str | None = sheet_option()
    header_row: str | None = header_row_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def purpose(self) -> Purpose:
        """What the release is for."""
        models = None if not self.model else tuple(m for m in self.model if m != "none")
        return Purpose(
            self.recipient,
            self.known,
            self.keep,
            self.predict,
            parse_column_sets(self.count),
            self.k,
            models,
            self.suppression,
        )

    def adviser(self) -> Adviser:
        """Read the file as `anonymize` reads it, and look at it."""
        from tokumei.tables.services.advise import AdviseTableRequest, advise_table
        from tokumei.tables.services.requests import TableRequest

        table = TableRequest(
            data=self.file,
            person=self.person,
            sheet=self.sheet,
            header_row=self.header_row,
            sep=self.sep,
            encoding=self.encoding,
        )
        return advise_table(AdviseTableRequest(table=table, purpose=self.purpose(), seed=self.seed))

    def data_of(self, advice: Advice) -> Mapping[str, object]:
        """The advice, and beside every candidate the command that makes it."""
        from tokumei.tables.services.advise import format_anonymize_command

        data = advice.as_json()
        data["candidates"] = [
            {
                **candidate.as_json(),
                "command": format_anonymize_command(candidate.request, self.file),
            }
            for candidate in advice.candidates
        ]
        return data
