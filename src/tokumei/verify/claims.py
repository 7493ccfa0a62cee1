"""A release proves its claims, or nothing is written."""

from __future__ import annotations

from collections.abc import Iterable

from tokumei.data.release import Claim
from tokumei.data.table import Table
from tokumei.errors import ClaimError, Fault
from tokumei.registry import rules
from tokumei.text import Text


def claim_faults(public: Table, claims: Iterable[Claim]) -> list[Fault]:
    """Recompute every claim from the public part; all violations."""
    return [
        fault for claim in claims for fault in rules.build(claim.rule, claim.params).check(public)
    ]


def require_claims(public: Table, claims: Iterable[Claim]) -> None:
    """Fail, naming the smallest offending group, unless every claim holds."""
    faults = claim_faults(public, claims)
    if faults:
        raise ClaimError(
            Text(
                "the release does not keep its claim, so nothing is written; "
                "a later step may have undone an earlier one",
                "匿名加工データが約束を満たさないため、何も書き出しません。"
                "後の処理が前の処理を壊した可能性があります",
            ),
            faults=faults,
        )
