"""`tokumei release`: a useful release that fits its recipient, in one step."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.shared_options import encoding_option, sep_option
from tokumei.tables.commands.options import (
    date_order_option,
    header_row_option,
    pass_option,
    sheet_option,
    two_digit_years_option,
)

if TYPE_CHECKING:
    from tokumei.releases.release_table import PreparedRelease
    from tokumei.releases.request import ReleaseTable
    from tokumei.tables.services.requests import TableRequest


@dataclass(frozen=True, kw_only=True)
class ReleaseTableFile(Command):
    """Search, judge and write the release of a table."""

    about: ClassVar = Message(
        "Make a useful release of a table for a recipient: profiles it, asks at most five "
        "questions, searches for the release that fits and keeps most, judges it and writes "
        "a folder. "
        "Exit code 0: it fits and is written, 1: nothing fits, nothing is written, 2: the file "
        "cannot be read."
    )
    examples: ClassVar = ("tokumei release people.csv --for partner --out to-partner",)

    data: str = option("the table", positional=True)
    recipient: Literal["public", "partner", "inside"] = option(
        "who gets the release: public, partner or inside", default="partner", name="for"
    )
    keep: tuple[str, ...] = option("columns that matter most: a,b", default=())
    knows: tuple[str, ...] | None = option(
        "what the recipient may know of a person: a,b; roughly: date~30d; none (default: what "
        "others can see or look up)",
        default=None,
    )
    out: str | None = option(
        "folder for the release (default: next to the file, named after it)", default=None
    )
    answers: Literal["ask", "defaults"] = option(
        "questions: ask in a terminal, or take the safe defaults", default="ask"
    )
    anyway: str | None = option(
        "write the release although it does not fit, for this reason", default=None
    )
    id: tuple[str, ...] | None = option("columns that are dropped: a,b", default=None)
    passed: tuple[str, ...] = pass_option()
    person: str | None = option(
        "the column that tells people apart (none: every row is another person)", default=None
    )
    scrub: tuple[str, ...] = option(
        "texts released with found personal data (telephone, address, …) replaced: a,b", default=()
    )
    sheet: str | None = sheet_option()
    header_row: str | None = header_row_option()
    date_order: Literal["dmy", "mdy", "ymd"] | None = date_order_option()
    two_digit_years: int | None = two_digit_years_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> CommandResult:
        """Ask, search, judge and write."""
        from tokumei.apps.cli.release_questions import ask_owner
        from tokumei.releases.release_folder import require_free_folder, save_prepared
        from tokumei.releases.release_table import prepare_release
        from tokumei.releases.release_view import build_document, describe_release

        target = require_free_folder(self._folder)
        if self.anyway is not None and not self.anyway.strip():
            raise UsageError("give a reason with --anyway", field="anyway")
        request, opened, questions = self.request, None, None
        if self.answers == "ask" and sys.stdin.isatty() and sys.stderr.isatty():
            request, opened, questions = ask_owner(request)
        prepared = prepare_release(request, opened=opened, questions=questions)
        written = None
        if prepared.fits or self.anyway is not None:
            reason = None if prepared.fits else self.anyway
            written = save_prepared(prepared, target, build_document(prepared, anyway=reason))
        return CommandResult(
            build_document(
                prepared, anyway=self.anyway, files={} if written is None else written.files
            ),
            describe_release(prepared, written),
            self._notes(prepared),
            code=0 if prepared.fits else 1,
        )

    def _notes(self, prepared: PreparedRelease) -> list[Message]:
        return prepared.notes

    @property
    def _folder(self) -> Path:
        path = Path(self.data)
        return Path(self.out) if self.out else path.with_name(f"{path.stem}-release")

    @property
    def request(self) -> ReleaseTable:
        """The request that these options make."""
        from tokumei.releases.request import ReleaseTable

        return ReleaseTable(
            table=self._table, recipient=self.recipient, keep=self.keep, knows=self.knows
        )

    @property
    def _table(self) -> TableRequest:
        from tokumei.tables.services.requests import TableRequest

        return TableRequest(
            data=self.data,
            id=self.id,
            passed=self.passed,
            person=self.person,
            scrub=self.scrub,
            sheet=self.sheet,
            header_row=self.header_row,
            date_order=self.date_order,
            two_digit_years=self.two_digit_years,
            sep=self.sep,
            encoding=self.encoding,
            answers="defaults",
        )
