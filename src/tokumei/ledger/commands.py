"""Base classes of the ledger commands, for every kind of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message, current_language

if TYPE_CHECKING:
    from tokumei.ledger.contribution import Contribution
    from tokumei.ledger.ledger import Ledger
    from tokumei.ledger.release_draft import (
        DraftRelease,
        ReleaseDetails,
    )


def folder_option() -> Any:
    """The ledger."""
    return option("the ledger's folder", "台帳のフォルダ", positional=True)


def key_file_option() -> Any:
    """Its key."""
    return option(
        "the ledger's key (default: where it was made)",
        "台帳の鍵 (既定は作成時の場所)",
        default=None,
    )


def recipient_option() -> Any:
    """Who gets the release."""
    return option("who gets the release", "受領者", default=None)


def name_option() -> Any:
    """What the release is called."""
    return option(
        "what to call the release (default: r1, r2, …)", "名前 (既定は r1、r2…)", default=""
    )


def joint_k_option() -> Any:
    """The least joint k."""
    return option(
        "least joint k, as if rows were linked",
        "共通クラスの下限 (行が結び付くとして)",
        default=None,
    )


def coalition_option() -> Any:
    """Who is assumed to share what they have."""
    return option(
        "recipients assumed to share what they have: A,B (default: all)",
        "情報を持ち寄ると仮定する受領者: A,B (既定は全員)",
        default=(),
    )


def open_ledger(folder: str, key_file: str | None) -> Ledger:
    """The ledger that an option names."""
    from tokumei.ledger.ledger import Ledger

    return Ledger(folder, key_file)


@dataclass(frozen=True, kw_only=True)
class LedgerCommand(Command):
    """A command on a ledger."""

    folder: str = folder_option()
    key_file: str | None = key_file_option()

    def book(self) -> Ledger:
        """The ledger, opened with its key."""
        return open_ledger(self.folder, self.key_file)


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

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Message]]:
        """What the release says of each person, and remarks."""
        raise NotImplementedError

    @property
    def public_file(self) -> str:
        """The file that was handed out."""
        raise NotImplementedError

    def said(self) -> ReleaseDetails:
        """What is said of it."""
        from tokumei.ledger.entry import today_iso
        from tokumei.ledger.release_draft import ReleaseDetails

        return ReleaseDetails(self.recipient, self.name, self.date or today_iso(), k=self.k)

    def answer(self) -> CommandResult:
        """Record it, and say what it adds."""
        from tokumei.files.file_formats import sha256_of_file
        from tokumei.ledger.check_messages import describe_linked_risk, describe_verdict

        book = self.book()
        contribution, notes = self.contribution(book)
        with book.writing():
            draft = book.draft(contribution, self.said(), public=self.public_file)
            entry = book.begin(draft, sha256=sha256_of_file(self.public_file))
            book.finish(entry.number)
        check = book.check()
        recorded_note = Message(
            f"{self.folder}: release '{entry.name}' recorded, {entry.people:,} people",
            f"{self.folder}: '{entry.name}' を記録しました ({entry.people:,} 人)",
        )
        risk_lines = (
            [*describe_linked_risk(check), describe_verdict(check)]
            if len(check.entries) > 1
            else []
        )
        return CommandResult(
            entry.as_json(), notes=[*notes, *check.notes, recorded_note, *risk_lines]
        )


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

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Message]]:
        """What the release says of each person, and remarks."""
        raise NotImplementedError

    def answer(self) -> CommandResult:
        """All figures; the page, if it is wanted."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import text_output
        from tokumei.ledger.check_messages import check_report_lines
        from tokumei.ledger.joint_risk import check_ledger
        from tokumei.ledger.ledger_page import render_ledger

        book = self.book()
        draft, notes = self._draft_release(book)
        check = check_ledger(
            book,
            self.coalition,
            joint_k=self.joint_k,
            certain=self.certain,
            draft=draft,
            most=self.most,
        )
        if self.out is not None:
            page = render_ledger(book, check, draft, lang=current_language())
            write_all([text_output(page, self.out)])
        return CommandResult(
            check.as_json(), check_report_lines(check), notes=notes, code=1 if check.faults else 0
        )

    def _draft_release(self, book: Ledger) -> tuple[DraftRelease | None, list[Message]]:
        from tokumei.ledger.entry import today_iso
        from tokumei.ledger.release_draft import ReleaseDetails

        if self.release is None:
            return None, []
        contribution, notes = self.contribution(book)
        details = ReleaseDetails(self.recipient or "?", "", today_iso(), k=self.joint_k)
        return book.draft(contribution, details, public=self.release), notes
