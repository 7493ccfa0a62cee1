"""Claims that must hold, or the test wants to see them fail."""

from __future__ import annotations

from collections.abc import Iterable

from tokumei.core.claims import require_no_violations
from tokumei.core.provenance import Claim
from tokumei.tables.data.table import Table
from tokumei.tables.verification.claims import claim_violations


def require_claims(public: Table, claims: Iterable[Claim]) -> None:
    """Fail, naming the smallest offending group, unless every claim of a table holds."""
    require_no_violations(claim_violations(public, claims))
