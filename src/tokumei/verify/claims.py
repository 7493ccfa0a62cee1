"""A release proves its claims, or nothing is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from tokumei.data.release import Claim
from tokumei.data.table import Table
from tokumei.errors import ClaimError, Fault
from tokumei.registry import rules
from tokumei.text import Text

COUNTS_CODES = ("k-anonymity", "no-identifiers")
"""The rules that need not see compact text as text."""
Public = Table | pl.DataFrame
"""The public part of a release: a table, or the rows of a history as text."""


@dataclass(frozen=True)
class CheckedClaim:
    """A claim and the violations that recomputing it found."""

    claim: Claim
    faults: list[Fault]


def check_claims(public: Public, claims: Iterable[Claim]) -> list[CheckedClaim]:
    """Recompute every claim from the public part."""
    return [CheckedClaim(claim, _check(public, claim)) for claim in claims]


def _check(public: Public, claim: Claim) -> list[Fault]:
    rule = rules.build(claim.rule, claim.params)
    if isinstance(public, Table) and claim.rule not in COUNTS_CODES:
        public = public.with_text()
    faults: list[Fault] = rule.check(public)
    return faults


def claim_faults(public: Public, claims: Iterable[Claim]) -> list[Fault]:
    """All violations of all claims."""
    return [fault for checked in check_claims(public, claims) for fault in checked.faults]


def require_claims(public: Public, claims: Iterable[Claim]) -> None:
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
