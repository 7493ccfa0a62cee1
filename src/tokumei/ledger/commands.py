"""Base classes of the ledger commands, for every kind of data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.language import current_language
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.ledger.services import LedgerLocation, ReleaseToRecord

folder_option = partial(option, "the ledger's folder", positional=True)
key_file_option = partial(option, "the ledger's key (default: where it was made)", default=None)
recipient_option = partial(option, "who gets the release", default=None)
name_option = partial(option, "what to call the release (default: r1, r2, …)", default="")
joint_k_option = partial(option, "least joint k, as if rows were linked", default=None)
coalition_option = partial(
    option, "recipients assumed to share what they have: A,B (default: all)", default=()
)


@dataclass(frozen=True, kw_only=True)
class LedgerCommand(Command):
    """A command on a ledger."""

    folder: str = folder_option()
    key_file: str | None = key_file_option()

    @property
    def location(self) -> LedgerLocation:
        """The ledger and its key."""
        from tokumei.ledger.services import LedgerLocation

        return LedgerLocation(folder=self.folder, key_file=self.key_file)


@dataclass(frozen=True, kw_only=True)
class AddReleaseCommand(LedgerCommand):
    """Record a release that any tool made."""

    about: ClassVar = Message(
        "Record a release in the ledger: who is in which class, as codes under its key."
    )

    recipient: str = option("who gets the release")
    name: str = name_option()
    date: str | None = option("its date (default: today)", default=None)
    k: int | None = option("the k it claims", default=None)

    def release_to_record(self) -> ReleaseToRecord:
        """The files of the release."""
        raise NotImplementedError

    def answer(self) -> CommandResult:
        """Record it, and say what it adds."""
        from tokumei.ledger.check_messages import describe_linked_risk, describe_verdict
        from tokumei.ledger.services import AddReleaseRequest, add_release

        request = AddReleaseRequest(
            ledger=self.location,
            release=self.release_to_record(),
            recipient=self.recipient,
            name=self.name,
            date=self.date,
            k=self.k,
        )
        added = add_release(request)
        entry, check = added.entry, added.check
        recorded_note = Message(
            "{folder}: release '{name}' recorded, {people:,} people",
            folder=self.folder,
            name=entry.name,
            people=entry.people,
        )
        risk_lines = (
            [*describe_linked_risk(check), describe_verdict(check)]
            if len(check.entries) > 1
            else []
        )
        notes = [*added.notes, *check.notes, recorded_note, *risk_lines]
        return CommandResult(entry.as_json(), notes=notes)


@dataclass(frozen=True, kw_only=True)
class CheckLedgerCommand(LedgerCommand):
    """Check the joint risk of all releases, with a planned one if it is named."""

    about: ClassVar = Message(
        "Compute the joint risk of the releases of a ledger: joint k, certain values, whether rows "
        "can be linked, leavers and joiners, the worst pair; also with a release that has not been "
        "handed out yet (--with). Exit code 1 if a given limit is exceeded."
    )

    release: str | None = option(
        "a release that has not been handed out yet", default=None, name="with"
    )
    recipient: str | None = option("who would get it", default=None)
    coalition: tuple[str, ...] = coalition_option()
    joint_k: int | None = joint_k_option()
    certain: float | None = option(
        "largest share of people whose sensitive value is certain, e.g. 0.01", default=None
    )
    most: int = option("look at all coalitions of up to so many releases", default=2, least=2)
    out: str | None = option("the page to write", default=None)

    def release_to_record(self, release: str) -> ReleaseToRecord:
        """The files of the release that has not left."""
        raise NotImplementedError

    def answer(self) -> CommandResult:
        """All figures; the page, if it is wanted."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import text_output
        from tokumei.ledger.check_messages import check_report_lines
        from tokumei.ledger.ledger_page import render_ledger
        from tokumei.ledger.services import CheckLedgerRequest, check_releases

        request = CheckLedgerRequest(
            ledger=self.location,
            coalition=self.coalition,
            joint_k=self.joint_k,
            certain=self.certain,
            most=self.most,
            planned=None if self.release is None else self.release_to_record(self.release),
            recipient=self.recipient,
        )
        checked = check_releases(request)
        check = checked.check
        if self.out is not None:
            page = render_ledger(checked.ledger, check, checked.draft, lang=current_language())
            write_all([text_output(page, self.out)])
        return CommandResult(
            check.as_json(),
            check_report_lines(check),
            notes=checked.notes,
            code=1 if check.faults else 0,
        )
