"""A history released period by period: rows under pseudonyms, who is who, and what is claimed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tokumei.core.release import Claim, Provenance
from tokumei.pseudonyms.data.months import Months
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.rows import PeriodRows


@dataclass(frozen=True, eq=False)
class PeriodRelease:
    """A(T) in the original's order and the table f are secret; `public` leaves the building."""

    rows: PeriodRows = field(repr=False)
    table: PseudonymTable = field(repr=False)
    months: Months
    claims: tuple[Claim, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def __repr__(self) -> str:
        kept = int(self.rows.kept.sum())
        return f"PeriodRelease(rows={kept} of {self.rows.rows}, people=<secret>)"

    @cached_property
    def public(self) -> PeriodRows:
        """What attackers see (S)."""
        return self.rows.public()

    def manifest(self) -> Mapping[str, Any]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": int(self.rows.kept.sum()),
            "periods": self.months.count,
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True),
        }
