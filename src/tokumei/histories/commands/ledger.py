"""`tokumei ledger add` and `check` of histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import option
from tokumei.core.errors import UsageError
from tokumei.histories.commands.history_file import ReleasedHistoryCommand
from tokumei.ledger.commands import AddReleaseCommand, CheckLedgerCommand

if TYPE_CHECKING:
    from tokumei.histories.services.ledger import HistoryToRecord


@dataclass(frozen=True, kw_only=True)
class AddHistoryToLedger(ReleasedHistoryCommand, AddReleaseCommand):
    """Record a released history."""

    examples: ClassVar = (
        "tokumei ledger add ledger --format pws2018 --release public.csv --secret people.csv "
        "--recipient A",
    )

    release: str = option("the release")
    secret: str = option("pseudonym,customer")

    def release_to_record(self) -> HistoryToRecord:
        """The files of the release."""
        from tokumei.histories.services.ledger import HistoryToRecord

        return HistoryToRecord(
            release=self.release, secret=self.secret, layout=self.layout(self.release)
        )


@dataclass(frozen=True, kw_only=True)
class CheckHistoryLedger(ReleasedHistoryCommand, CheckLedgerCommand):
    """What all releases say together, with a history that has not left yet."""

    secret: str | None = option("pseudonym,customer", default=None)

    def release_to_record(self, release: str) -> HistoryToRecord:
        """The files of the release that has not left."""
        from tokumei.histories.services.ledger import HistoryToRecord

        if self.secret is None:
            raise UsageError("--with needs --secret")
        return HistoryToRecord(release=release, secret=self.secret, layout=self.layout(release))
