"""Recomputes the claims of a release from its public part, and describes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from tokumei.core.catalogs import SOURCE_LANGUAGE
from tokumei.core.described import ClaimCheck, Described, append_params
from tokumei.core.errors import ClaimError, TokumeiError, Violation
from tokumei.core.messages import SEMICOLON, Message, join_messages
from tokumei.core.provenance import Claim
from tokumei.core.registry import Registry

Public = TypeVar("Public")
MAX_LISTED_COLUMNS = 40
"""More columns than these are counted, not listed, where it is said what was verified."""


@dataclass(frozen=True)
class CheckedClaim:
    """A claim and the violations that recomputing it found."""

    claim: Claim
    faults: list[Violation]


def describe_claim(rules: Registry[Described], claim: Claim, **how: object) -> Message:
    """A claim as its rule says it, or its title; one not registered here as it stands."""
    try:
        rule = rules.build(claim.rule, claim.params)
    except TokumeiError:
        return append_params(Message.verbatim(claim.rule), claim.params)
    describe: Callable[..., Message] | None = getattr(rule, "words", None)
    return append_params(rule.title, claim.params) if describe is None else describe(**how)


def rule_title(rules: Registry[Described], name: str) -> Message:
    """A rule's title, in English its name; one that is not registered here has its name only."""
    try:
        titles = rules.get(name).title.texts()
    except (AttributeError, TokumeiError):
        titles = {}
    return Message.of_texts({**titles, SOURCE_LANGUAGE: name})


def describe_verified_claims(
    rules: Registry[Described], claims: Iterable[Claim], **how: object
) -> Message:
    """Describe the verified claims in a sentence, each with the name of its rule."""
    clauses = [
        _append_rule_name(describe_claim(rules, claim, **how), rule_title(rules, claim.rule))
        for claim in claims
    ]
    if not clauses:
        return Message("nothing is claimed, so nothing was verified")
    return Message("verified: {claims}", claims=join_messages(clauses, SEMICOLON))


def _append_rule_name(claim: Message, rule: Message) -> Message:
    """A claim with the name of its rule, unless it begins with that."""
    names = rule.texts().items()
    if any(claim.show(language).startswith(name) for language, name in names):
        return claim
    return Message("{claim} ({rule})", claim=claim, rule=rule)


@dataclass(frozen=True)
class VerificationResult:
    """The first violations, how many there are, and how many rows were looked at, if counted."""

    faults: list[Violation]
    total: int
    rows: int | None = None

    def require_valid(self, rows: int) -> None:
        """Fail, naming the first violations, unless there are none in so many rows."""
        if self.rows not in (None, rows):
            raise RuntimeError(f"{rows} rows should have been written, but there are {self.rows}")
        require_no_violations(self.faults, total=self.total)


def check_claims(
    rules: Registry[ClaimCheck[Public]], public: Public, claims: Iterable[Claim]
) -> list[CheckedClaim]:
    """Recompute every claim from the public part, each by the rule of its name."""
    return [
        CheckedClaim(claim, rules.build(claim.rule, claim.params).check(public)) for claim in claims
    ]


def find_claim_violations(
    rules: Registry[ClaimCheck[Public]], public: Public, claims: Iterable[Claim]
) -> list[Violation]:
    """All violations of all claims."""
    return [fault for checked in check_claims(rules, public, claims) for fault in checked.faults]


def require_no_violations(faults: list[Violation], *, total: int | None = None) -> None:
    """Fail if recomputing the claims found a violation; `faults` may be the first of `total`."""
    if faults:
        raise ClaimError(
            "the release does not meet its claims, so nothing is written; a later step may have "
            "undone an earlier one",
            faults=faults,
            total=total,
        )
