"""Tests of tokumei.core.claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from core.described_helpers import in_both
from tokumei.core.claims import describe_claim, describe_verified_claims
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.core.registry import Registry
from tokumei.kinds import all_kinds

PARAMS: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 5, "columns": ["age", "sex"]},
    "l-diversity": {"l": 3, "columns": ["age"], "sensitive": ["illness"]},
    "entropy-l-diversity": {"l": 2.5, "columns": ["age"], "sensitive": ["illness"]},
    "recursive-l-diversity": {"c": 3, "l": 2, "columns": ["age"], "sensitive": ["illness"]},
    "alpha-k": {"alpha": 0.5, "k": 4, "columns": ["age"], "sensitive": ["illness"]},
    "t-closeness": {"t": 0.2, "columns": ["age"], "sensitive": ["illness"]},
    "beta-likeness": {"beta": 1.5, "columns": ["age"], "sensitive": ["illness"]},
    "delta-disclosure": {"delta": 1, "columns": ["age"], "sensitive": ["illness"]},
    "highest-risk": {"risk": 0.1, "columns": ["age"]},
    "average-risk": {"risk": 0.05, "columns": ["age"]},
    "records-at-risk": {"threshold": 0.2, "share": 0.05, "columns": ["age"]},
    "k-of-columns": {"k": 5, "m": 2, "columns": ["age", "sex"]},
    "differential-privacy": {"epsilon": 1.0, "delta": 1e-6, "k": 5, "columns": ["age"]},
    "k-per-person": {"k": 4, "columns": ["age"], "person": "id"},
    "personal-k": {"columns": ["age"], "personal": "wish"},
    "hidden-cells": {"columns": ["age"], "hide": "wish"},
    "constant": {"columns": ["age"]},
    "no-identifiers": {"columns": ["id"]},
    "identical-histories": {"k": 6},
    "pseudonym-lifetime": {"periods": 3},
    "pseudonym-exposure": {"by": "rows", "bound": 40},
}


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
def test_a_rule_says_its_claim_with_its_parameters(kind: Any) -> None:
    for name in kind.claim_checks.names():
        text = describe_claim(kind.claim_checks, Claim(name, PARAMS[name]))
        in_both(text)
        assert text.show("en")[-1] != "."
        assert text.show("ja")[-1] != "。"
        assert name not in text.show("en")


def test_a_rule_that_nobody_knows_is_listed() -> None:
    assert (
        describe_claim(all_kinds()[0].claim_checks, Claim("own", {"x": 1})).show("en")
        == "own (x = 1)"
    )


def test_a_rule_without_words_is_told_by_its_title() -> None:
    rules = Registry[Any]("own", Message("rule"), {})
    rules.add("silent", Silent)
    told = describe_verified_claims(rules, [Claim("silent", {"k": 3})])
    assert told.show("en") == "verified: A silent rule (k = 3)"
    assert told.show("ja") == "検証済み: 無言の規則 (k = 3)"


@dataclass(frozen=True)
class Silent:
    """A rule of another package that has a title only."""

    title: ClassVar[Message] = Message.of_texts({"en": "A silent rule", "ja": "無言の規則"})

    k: int
