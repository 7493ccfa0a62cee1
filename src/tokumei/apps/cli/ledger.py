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
        "Make a ledger: a folder that holds, of every release, who is in which class, as codes. "
        "Its key (made if the file does not exist) must stand elsewhere; both together name "
        "people, each alone does not.",
        "台帳を作ります。各匿名加工データについて、誰がどのクラスにいるかを符号で記録するフォルダ"
        "です。鍵 (なければ作ります) は別の場所に置いてください。台帳と鍵がそろうと個人を特定"
        "できます。",
    )
    examples: ClassVar = ("tokumei ledger init ledger --key-file ledger.key",)

    folder: str = folder_option()
    key_file: str = option("the key, outside the ledger", "鍵 (台帳の外に置く)")

    def answer(self) -> CommandResult:
        """Make it."""
        from tokumei.ledger.services import LedgerLocation, create_ledger

        ledger = create_ledger(LedgerLocation(folder=self.folder, key_file=self.key_file))
        message = Message(
            f"{self.folder}: a new ledger; its key is {self.key_file} (mode 0600): keep both, and "
            "apart",
            f"{self.folder}: 台帳を作りました。鍵は {self.key_file} (0600) です。別々に保管して"
            "ください",
        )
        data = {"ledger": self.folder, "key_file": self.key_file, "head": ledger.head}
        return CommandResult(data, notes=[message])


@dataclass(frozen=True, kw_only=True)
class ShowLedger(LedgerCommand):
    """List the releases."""

    about: ClassVar = Message(
        "List the releases of a ledger. Its head, noted elsewhere, proves later that no line was "
        "taken away.",
        "台帳の匿名加工データを一覧します。head を別の場所に控えておけば、後で行が失われていない"
        "ことを証明できます。",
    )
    examples: ClassVar = ("tokumei ledger show ledger",)

    def answer(self) -> CommandResult:
        """The releases, and the head."""
        from tokumei.ledger.check_messages import releases_table

        ledger = self.location.open()
        head = Message(f"head {ledger.head}", f"head {ledger.head}")
        data = {"releases": [entry.as_json() for entry in ledger.entries], "head": ledger.head}
        return CommandResult(data, [releases_table(ledger.entries), head])


@dataclass(frozen=True, kw_only=True)
class VerifyLedger(LedgerCommand):
    """Check that nothing was changed."""

    about: ClassVar = Message(
        "Check every byte of a ledger: the chain of lines, their seals, the files of classes; and "
        "whether released files are still what was recorded. Exit code 1 if anything was changed.",
        "台帳の全バイト (行の連鎖、封印、クラスのファイル) と、公開ファイルが記録時のままかを"
        "検査します。変更があれば終了コード 1。",
    )
    examples: ClassVar = ("tokumei ledger verify ledger --head HASH",)

    head: str | None = option("the head noted earlier", "以前に控えた head", default=None)

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
        "names the column). It is said which figures become unknowable.",
        "指定した人を台帳のクラスから取り除きます。ID は見出しのあるファイルで渡します (--id で列を"
        "指定)。分からなくなる数値も示します。",
    )
    examples: ClassVar = ("tokumei ledger forget ledger --people gone.csv --id id",)

    people: str = option("file with the ids", "ID のファイル")
    id: str = option("its column", "その列")

    def answer(self) -> CommandResult:
        """Forget them, and say what cannot be known any more."""
        from tokumei.ledger.services import ForgetPeopleRequest, forget_listed_people

        request = ForgetPeopleRequest(ledger=self.location, people=self.people, id=self.id)
        forgetting, notes = forget_listed_people(request)
        return CommandResult(forgetting.as_json(), notes=[*notes, *forgetting.lines()])
