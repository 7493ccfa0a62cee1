"""Reads released histories for the ledger."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.histories.formats.layout import HistoryLayout
from tokumei.histories.ledger_contribution import read_contribution
from tokumei.ledger.services import ReleaseContent


@dataclass(frozen=True, kw_only=True)
class HistoryToRecord:
    """A released history of any tool, and who is behind each pseudonym."""

    release: str
    secret: str
    layout: HistoryLayout

    def read(self) -> ReleaseContent:
        """What the release says of each person."""
        return ReleaseContent(read_contribution(self.release, self.secret, self.layout))
