"""`tokumei ledger add` and `check` of histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.histories.commands.history_file import ReleasedHistoryCommand
from tokumei.ledger.commands import AddReleaseCommand, CheckLedgerCommand

if TYPE_CHECKING:
    from tokumei.ledger.contribution import Contribution
    from tokumei.ledger.ledger import Ledger


@dataclass(frozen=True, kw_only=True)
class AddHistoryToLedger(ReleasedHistoryCommand, AddReleaseCommand):
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

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Message]]:
        """What the release says of each person."""
        from tokumei.histories.ledger_contribution import read_contribution

        return read_contribution(self.release, self.secret, self.layout(self.release)), []


@dataclass(frozen=True, kw_only=True)
class CheckHistoryLedger(ReleasedHistoryCommand, CheckLedgerCommand):
    """What all releases say together, with a history that has not left yet."""

    secret: str | None = option("pseudonym,customer", "仮名と顧客の対応", default=None)

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Message]]:
        """What the release says of each person."""
        if self.secret is None:
            raise UsageError("--with needs --secret", "--with には --secret が必要です")
        from tokumei.histories.ledger_contribution import read_contribution

        return read_contribution(str(self.release), self.secret, self.layout(self.release)), []
