"""Recomputes the claims of a release from its public part, and says them in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tokumei.core.errors import ClaimError, Fault, TokumeiError
from tokumei.core.registry import Registry
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.core.words import listed

MOST_LISTED = 40
"""More columns than these are counted, not listed, where it is said what was verified."""


@dataclass(frozen=True)
class CheckedClaim:
    """A claim and the violations that recomputing it found."""

    claim: Claim
    faults: list[Fault]


def claim_words(rules: Registry[Any], claim: Claim, **how: Any) -> Text:
    """A claim as its rule says it, or its title; one not registered here as it stands."""
    try:
        rule = rules.build(claim.rule, claim.params)
    except TokumeiError:
        return listed(Text(claim.rule, claim.rule), claim.params)
    if not hasattr(rule, "words"):
        return listed(rule.title, claim.params)
    text: Text = rule.words(**how)
    return text


def rule_title(rules: Registry[Any], name: str) -> Text:
    """A rule's name, in Japanese its title; one that is not registered here has its name only."""
    try:
        return Text(name, rules.get(name).title.ja)
    except (AttributeError, TokumeiError):
        return Text(name, name)


def verified_words(rules: Registry[Any], claims: Iterable[Claim], **how: Any) -> Text:
    """What was verified, in words that say what of, with the names of the rules."""
    told = [(rule_title(rules, claim.rule), claim_words(rules, claim, **how)) for claim in claims]
    if not told:
        return Text(
            "nothing is claimed, so nothing was verified", "主張がないため、検証もしていません"
        )
    return Text(
        "verified: " + "; ".join(_with_rule(words.en, rule.en) for rule, words in told),
        "検証済み: " + "、".join(_with_rule(words.ja, rule.ja) for rule, words in told),
    )


def _with_rule(words: str, rule: str) -> str:
    """Words with the name of their rule, unless they begin with it."""
    return words if words.startswith(rule) else f"{words} ({rule})"


@dataclass(frozen=True)
class Found:
    """The first violations, how many there are, and how many rows were looked at, if counted."""

    faults: list[Fault]
    total: int
    rows: int | None = None

    def require(self, rows: int) -> None:
        """Fail, naming the first violations, unless there are none in so many rows."""
        if self.rows not in (None, rows):
            raise RuntimeError(f"{rows} rows should have been written, but there are {self.rows}")
        require_no_faults(self.faults, total=self.total)


def check_claims(rules: Registry[Any], public: Any, claims: Iterable[Claim]) -> list[CheckedClaim]:
    """Recompute every claim from the public part, each by the rule of its name."""
    return [
        CheckedClaim(claim, rules.build(claim.rule, claim.params).check(public)) for claim in claims
    ]


def claim_faults(rules: Registry[Any], public: Any, claims: Iterable[Claim]) -> list[Fault]:
    """All violations of all claims."""
    return [fault for checked in check_claims(rules, public, claims) for fault in checked.faults]


def require_no_faults(faults: list[Fault], *, total: int | None = None) -> None:
    """Fail if recomputing the claims found a violation; `faults` may be the first of `total`."""
    if faults:
        raise ClaimError(
            "the release does not meet its claims, so nothing is written; "
            "a later step may have undone an earlier one",
            "匿名加工データの主張が成り立たないため、何も書き出しません。"
            "後の手順が、前の手順で得た性質を崩した可能性があります",
            faults=faults,
            total=total,
        )
