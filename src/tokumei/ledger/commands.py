"""Base classes of the ledger commands, for every kind of data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message, current_language

if TYPE_CHECKING:
    from tokumei.ledger.services import LedgerLocation, ReleaseToRecord

folder_option = partial(option, "the ledger's folder", "台帳のフォルダ", positional=True)
key_file_option = partial(
    option,
    "the ledger's key (default: where it was made)",
    "台帳の鍵 (既定は作成時の場所)",
    default=None,
)
recipient_option = partial(option, "who gets the release", "受領者", default=None)
name_option = partial(
    option,
    "what to call the release (default: r1, r2, …)",
    "名前 (既定は r1、r2…)",
    default="",
)
joint_k_option = partial(
    option,
    "least joint k, as if rows were linked",
    "共通クラスの下限 (行が結び付くとして)",
    default=None,
)
coalition_option = partial(
    option,
    "recipients assumed to share what they have: A,B (default: all)",
    "情報を持ち寄ると仮定する受領者: A,B (既定は全員)",
    default=(),
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
        "Record a release in the ledger: who is in which class, as codes under its key.",
        "匿名加工データを台帳に記録します (誰がどのクラスにいるかを、鍵による符号で)。",
    )

    recipient: str = option("who gets the release", "受領者")
    name: str = name_option()
    date: str | None = option("its date (default: today)", "日付 (既定は今日)", default=None)
    k: int | None = option("the k it claims", "主張する k", default=None)

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
            f"{self.folder}: release '{entry.name}' recorded, {entry.people:,} people",
            f"{self.folder}: '{entry.name}' を記録しました ({entry.people:,} 人)",
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
        "What the releases of a ledger say together: joint k, certain values, whether rows can be "
        "linked, leavers and joiners, the worst pair; with a release that has not left (--with), "
        "what it would add. Exit code 1 if a limit given is broken.",
        "台帳の匿名加工データを合わせると何が分かるかを示します (共通クラスの大きさ、値の確定、"
        "行の結び付き、増減、最も危険な組)。--with で、まだ渡していないものを加えた場合も調べます。"
        "指定した上限を超えれば終了コード 1。",
    )

    release: str | None = option(
        "a release that has not left yet",
        "まだ渡していない匿名加工データ",
        default=None,
        name="with",
    )
    recipient: str | None = option("who would get it", "その受領者", default=None)
    coalition: tuple[str, ...] = coalition_option()
    joint_k: int | None = joint_k_option()
    certain: float | None = option(
        "largest share of people whose sensitive value is certain, e.g. 0.01",
        "機密属性の値が確定する人の割合の上限 (例 0.01)",
        default=None,
    )
    most: int = option(
        "look at all coalitions of up to so many releases",
        "調べる組の最大の件数",
        default=2,
        least=2,
    )
    out: str | None = option("the page to write", "出力する HTML", default=None)

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
