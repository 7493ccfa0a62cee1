"""A released table: what leaves the building, and what must not.

`public` may be handed out; `link` (released row → original row) is the secret part and never
appears in a repr, a log, a message or a report.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei.core.release import Claim, Provenance
from tokumei.tables.data.table import Table


@dataclass(frozen=True, eq=False)
class Release:
    """An anonymized table with its secret link, its claims and its provenance."""

    public: Table
    link: np.ndarray = field(repr=False)
    claims: tuple[Claim, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        if len(self.link) != self.public.rows:
            raise ValueError("one original row number per released row is needed")

    def __repr__(self) -> str:
        claims = ", ".join(claim.rule for claim in self.claims) or "none"
        return f"Release(rows={self.public.rows}, claims={claims}, link=<secret>)"

    def manifest(self) -> dict[str, Any]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.public.rows,
            "columns": {c.name: c.role.value for c in self.public.schema.columns},
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True),
        }
