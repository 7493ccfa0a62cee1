"""What a released table claims, recomputed from its public rows."""

from __future__ import annotations

from collections.abc import Iterable

from tokumei.core import claims as core
from tokumei.core.claims import CheckedClaim
from tokumei.core.errors import Fault
from tokumei.core.release import Claim
from tokumei.tables.data.table import Table
from tokumei.tables.registry import rules

COUNTS_CODES = ("k-anonymity", "no-identifiers")
"""The rules that need not see compact text as text."""


def check_claims(public: Table, claims: Iterable[Claim]) -> list[CheckedClaim]:
    """Recompute every claim from the public part."""
    return [
        checked
        for claim in claims
        for checked in core.check_claims(rules, _seen(public, claim), [claim])
    ]


def claim_faults(public: Table, claims: Iterable[Claim]) -> list[Fault]:
    """All violations of all claims."""
    return [fault for checked in check_claims(public, claims) for fault in checked.faults]


def require_claims(public: Table, claims: Iterable[Claim]) -> None:
    """Fail, naming the smallest offending group, unless every claim holds."""
    core.require_no_faults(claim_faults(public, claims))


def _seen(public: Table, claim: Claim) -> Table:
    return public if claim.rule in COUNTS_CODES else public.with_text()
