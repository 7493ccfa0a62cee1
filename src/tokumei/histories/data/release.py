"""A released history: generalized rows, pseudonyms, claims.

The row-aligned form and the customers are the secret side; `public` is what leaves the building.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from tokumei.core.provenance import Claim, Provenance
from tokumei.core.verification import VerifiableRelease
from tokumei.histories.data.generalized_history import (
    GeneralHistory,
    format_general_history,
    select_public_rows,
)


@dataclass(frozen=True, eq=False)
class HistoryRelease(VerifiableRelease):
    """Rows in the original's order (secret), and the customer behind each pseudonym (secret)."""

    rows: GeneralHistory = field(repr=False)
    customers: pl.Series = field(repr=False)
    claims: tuple[Claim, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    names: Mapping[str, str] = field(default_factory=dict)
    """What the source calls its columns, in its order; empty: as here."""
    format: str = "table"
    """The layout of the source, in which the release is written."""
    categories: Mapping[str, str] | None = field(default=None, repr=False)
    """The categories that replaced the items first."""

    def __repr__(self) -> str:
        claims = ", ".join(claim.rule for claim in self.claims) or "none"
        kept = int(self.rows.kept.sum())
        return f"HistoryRelease(rows={kept} of {self.rows.rows}, claims={claims}, people=<secret>)"

    @property
    def k(self) -> int | None:
        """How many people are claimed to be alike; None without such a claim."""
        claimed = (c.params["k"] for c in self.claims if c.rule == "identical-histories")
        return next(claimed, None)

    @cached_property
    def public(self) -> pl.DataFrame:
        """The rows attackers see: text cells, deleted rows gone, sorted as text."""
        return select_public_rows(self.seen())

    def seen(self) -> pl.DataFrame:
        """The public rows, not yet sorted: enough to verify what does not depend on order."""
        return format_general_history(self.rows).filter(pl.Series(self.rows.kept))

    def with_source_names(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows with the columns that the source has, under its names and in its order."""
        if not self.names:
            return rows
        return rows.select(pl.col(own).alias(name) for own, name in self.names.items())

    def aligned_text(self) -> pl.DataFrame:
        """The secret, row-aligned form as text."""
        return format_general_history(self.rows)

    def truth(self) -> pl.DataFrame:
        """Pseudonym and customer of everyone with a released row, sorted by pseudonym: secret."""
        everyone = pl.DataFrame({"pseudonym": self.rows.pseudonyms, "customer": self.customers})
        released_people = pl.Series(
            sorted(set(self.rows.person[self.rows.kept].tolist())), dtype=pl.Int64
        )
        return everyone[released_people].sort("pseudonym")

    def manifest(self) -> Mapping[str, object]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": int(self.rows.kept.sum()),
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True),
        }
