"""A release as it would be recorded in the ledger, and what whoever releases says of it."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.ledger.contribution import Contribution
from tokumei.ledger.entry import ClaimRecord, LedgerEntry, largest_claimed_k, strip_claim_values
from tokumei.ledger.hash_chain import KeyedCodes
from tokumei.ledger.recorded_classes import RecordedClasses, encode_contribution


@dataclass(frozen=True)
class ReleaseDetails:
    """What whoever releases says of it."""

    recipient: str
    name: str = ""
    made: str = ""
    claims: tuple[ClaimRecord, ...] = ()
    method: str = ""
    k: int | None = None
    chance: str = ""
    recipe: str = ""


@dataclass(frozen=True, eq=False)
class DraftRelease:
    """A release that is not recorded yet."""

    entry: LedgerEntry
    recorded: RecordedClasses

    @classmethod
    def of(
        cls,
        contribution: Contribution,
        details: ReleaseDetails,
        *,
        number: int,
        public: str,
        codes: KeyedCodes,
    ) -> DraftRelease:
        """Draft the release that gets this number; `public` leads to its file from the ledger."""
        entry = LedgerEntry(
            number=number,
            name=details.name,
            kind=contribution.kind,
            recipient=details.recipient,
            made=details.made,
            public=public,
            sha256="",
            rows=contribution.released_rows,
            people=len(contribution.ids),
            known=contribution.known,
            k=details.k or largest_claimed_k(details.claims),
            claims=tuple(strip_claim_values(claim) for claim in details.claims),
            method=details.method,
            columns=contribution.columns,
            cells=tuple(contribution.cells),
            sensitive=contribution.sensitive,
            linked=contribution.linked,
            repeated=contribution.repeated,
            labels=contribution.labels,
            chance=details.chance,
            recipe=details.recipe,
        )
        return cls(entry, encode_contribution(contribution, codes))
