"""A release proves its claims, or nothing is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tokumei.core.errors import ClaimError, Fault
from tokumei.core.registry import Registry
from tokumei.core.release import Claim
from tokumei.core.text import Text


@dataclass(frozen=True)
class CheckedClaim:
    """A claim and the violations that recomputing it found."""

    claim: Claim
    faults: list[Fault]


@dataclass(frozen=True)
class Found:
    """The first violations, how many there are, and how many rows were looked at, if counted."""

    faults: list[Fault]
    total: int
    rows: int | None = None


def check_claims(rules: Registry[Any], public: Any, claims: Iterable[Claim]) -> list[CheckedClaim]:
    """Recompute every claim from the public part, each by the rule of its name."""
    return [
        CheckedClaim(claim, rules.build(claim.rule, claim.params).check(public)) for claim in claims
    ]


def claim_faults(rules: Registry[Any], public: Any, claims: Iterable[Claim]) -> list[Fault]:
    """All violations of all claims."""
    return [fault for checked in check_claims(rules, public, claims) for fault in checked.faults]


def require_claims(rules: Registry[Any], public: Any, claims: Iterable[Claim]) -> None:
    """Fail, naming the smallest offending group, unless every claim holds."""
    require_no_faults(claim_faults(rules, public, claims))


def require_found(found: Found, *, rows: int) -> None:
    """Fail, naming the smallest offending groups, unless every claim holds of so many rows."""
    if found.rows not in (None, rows):
        raise RuntimeError(f"{rows} rows should have been written, but there are {found.rows}")
    require_no_faults(found.faults, total=found.total)


def require_no_faults(faults: list[Fault], *, total: int | None = None) -> None:
    """Fail if recomputing the claims found a violation; `faults` may be the first of `total`."""
    if faults:
        raise ClaimError(
            Text(
                "the release does not keep its claim, so nothing is written; "
                "a later step may have undone an earlier one",
                "匿名加工データがその主張を満たさないため、何も書き出しません。"
                "後の処理が前の処理の結果を壊した可能性があります",
            ),
            faults=faults,
            total=total,
        )
