"""`tokumei ledger add` and `check` of histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.ask import option
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import ReleasedHistory
from tokumei.ledger.ask import AskAdd, AskCheck

if TYPE_CHECKING:
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
        from tokumei.histories.ledger import read_contribution

        return read_contribution(self.release, self.secret, self.layout(self.release)), []


@dataclass(frozen=True, kw_only=True)
class CheckLedgerOfHistory(ReleasedHistory, AskCheck):
    """What all releases say together, with a history that has not left yet."""

    secret: str | None = option("pseudonym,customer", "仮名と顧客の対応", default=None)

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Text]]:
        """What the release says of each person."""
        if self.secret is None:
            raise UsageError("--with needs --secret", "--with には --secret が必要です")
        from tokumei.histories.ledger import read_contribution

        return read_contribution(str(self.release), self.secret, self.layout(self.release)), []
