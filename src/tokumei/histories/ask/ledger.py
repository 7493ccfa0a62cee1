"""`tokumei ledger add` and `check` of histories, and `anonymize history --ledger`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.ask import option
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import ReleasedHistory
from tokumei.ledger.ask import AskAdd, AskCheck, open_book

if TYPE_CHECKING:
    from tokumei.histories.ask.make import AnonymizeHistory
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.histories.formats.layout import HistoryLayout
    from tokumei.ledger.book import Ledger
    from tokumei.ledger.contribution import Contribution


@dataclass(frozen=True, kw_only=True)
class AddHistory(ReleasedHistory, AskAdd):
    """Record a released history."""

    examples: ClassVar = (
        "tokumei ledger add ledger --format pws2018 --release public.csv --secret people.csv "
        "--recipient A",
    )

    release: str = option("the release", "匿名加工データ")
    secret: str = option("pseudonym,customer", "仮名と顧客の対応")

    @property
    def public_file(self) -> str:
        """The file that was handed out."""
        return self.release

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Text]]:
        """What the release says of each person."""
        return read_contribution(self.release, self.secret, self.layout(self.release)), []


@dataclass(frozen=True, kw_only=True)
class CheckLedgerOfHistory(ReleasedHistory, AskCheck):
    """What all releases say together, with a history that has not left yet."""

    secret: str | None = option("pseudonym,customer", "仮名と顧客の対応", default=None)

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Text]]:
        """What the release says of each person."""
        if self.secret is None:
            raise UsageError("--with needs --secret", "--with には --secret が必要です")
        return read_contribution(str(self.release), self.secret, self.layout(self.release)), []


def read_contribution(release: str, secret: str, layout: HistoryLayout) -> Contribution:
    """From the files that options name."""
    from tokumei.histories.ledger import CUSTOMER, PSEUDONYM, history_contribution

    truth = layout.read_pairs(secret)
    truth.require_regular(secret)
    pairs = truth.frame.rename(dict(zip(truth.frame.columns, (PSEUDONYM, CUSTOMER), strict=True)))
    return history_contribution(layout.read_public(release), pairs, known=pairs.height)


def save_recorded(asked: AnonymizeHistory, source: History, release: HistoryRelease) -> list[Text]:
    """Check, write and record, or nothing of it; what is to be said."""
    from tokumei.files.releases import save_release
    from tokumei.histories.kind import HISTORIES
    from tokumei.histories.ledger import history_contribution
    from tokumei.ledger.recording import Recording, joint_check, require_joint, said_of
    from tokumei.ledger.words import linked_words, recorded_as

    if asked.public is None or not asked.recipient:
        raise UsageError(
            "--ledger needs --public and --recipient",
            "--ledger には --public と --recipient が必要です",
        )
    book = open_book(str(asked.ledger), asked.ledger_key)
    given = history_contribution(release.public, release.truth(), known=len(source.customers))
    with book.writing():
        said = said_of(book, release, asked.recipient, asked.name)
        draft = book.draft(given, said, public=asked.public)
        found = require_joint(joint_check(book, draft, joint_k=asked.joint_k))
        save_release(
            HISTORIES,
            release,
            asked.public,
            record=Recording(book, draft),
            secret=asked.secret,
            aligned=asked.out,
            format=asked.format,
        )
    told = recorded_as(asked.ledger, draft.entry)
    figures = linked_words(found) if len(found.entries) > 1 else []
    return [*book.notes, *found.notes, told, *figures]
