"""`tokumei ledger init|show|verify|forget`: the ledger commands that need no kind of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.command import Command, CommandResult, option, violations_result
from tokumei.core.messages import Message
from tokumei.ledger.commands import LedgerCommand, folder_option


@dataclass(frozen=True, kw_only=True)
class InitLedger(Command):
    """Make a ledger."""

    about: ClassVar = Message(
        "Make a ledger: a folder that records, for every release, who is in which class, as "
        "codes. Keep its key (made if the file does not exist) elsewhere: ledger and key "
        "together identify people, neither alone does."
    )
    examples: ClassVar = ("tokumei ledger init ledger --key-file ledger.key",)

    folder: str = folder_option()
    key_file: str = option("the key, outside the ledger")

    def answer(self) -> CommandResult:
        """Make it."""
        from tokumei.ledger.services import LedgerLocation, create_ledger

        ledger = create_ledger(LedgerLocation(folder=self.folder, key_file=self.key_file))
        message = Message(
            "{folder}: a new ledger; its key is {key_file} (mode 0600). Keep both, in different "
            "places",
            folder=self.folder,
            key_file=self.key_file,
        )
        data = {"ledger": self.folder, "key_file": self.key_file, "head": ledger.head}
        return CommandResult(data, notes=[message])


@dataclass(frozen=True, kw_only=True)
class ShowLedger(LedgerCommand):
    """List the releases."""

    about: ClassVar = Message(
        "List the releases of a ledger. Its head, noted elsewhere, proves later that no line was "
        "removed."
    )
    examples: ClassVar = ("tokumei ledger show ledger",)

    def answer(self) -> CommandResult:
        """The releases, and the head."""
        from tokumei.ledger.check_messages import releases_table

        ledger = self.location.open()
        head = Message("head {head}", head=ledger.head)
        data = {"releases": [entry.as_json() for entry in ledger.entries], "head": ledger.head}
        return CommandResult(data, [releases_table(ledger.entries), head])


@dataclass(frozen=True, kw_only=True)
class VerifyLedger(LedgerCommand):
    """Check that nothing was changed."""

    about: ClassVar = Message(
        "Check every byte of a ledger: the chain of lines, their seals, the files of classes; and "
        "whether released files are still what was recorded. Exit code 1 if anything was changed."
    )
    examples: ClassVar = ("tokumei ledger verify ledger --head HASH",)

    head: str | None = option("the head noted earlier", default=None)

    def answer(self) -> CommandResult:
        """All faults."""
        from tokumei.ledger.services import VerifyLedgerRequest, verify_releases

        request = VerifyLedgerRequest(ledger=self.location, head=self.head)
        verification = verify_releases(request)
        base_result = violations_result(verification.faults)
        data = {**base_result.data, "releases": verification.releases, "head": verification.head}
        return CommandResult(
            data,
            [*verification.lines(), *base_result.shown],
            notes=verification.notes,
            code=base_result.code,
        )


@dataclass(frozen=True, kw_only=True)
class ForgetPeople(LedgerCommand):
    """Take people out of a ledger."""

    about: ClassVar = Message(
        "Take people out of the ledger's classes, by their ids in a file with a header (--id "
        "names the column). The output says which figures can no longer be computed."
    )
    examples: ClassVar = ("tokumei ledger forget ledger --people gone.csv --id id",)

    people: str = option("file with the ids")
    id: str = option("column of the ids")

    def answer(self) -> CommandResult:
        """Forget them, and say what cannot be known any more."""
        from tokumei.ledger.services import ForgetPeopleRequest, forget_listed_people

        request = ForgetPeopleRequest(ledger=self.location, people=self.people, id=self.id)
        forgetting, notes = forget_listed_people(request)
        return CommandResult(forgetting.as_json(), notes=[*notes, *forgetting.lines()])
