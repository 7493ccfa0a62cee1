"""Rules against dictionary counts, and broken releases that must be caught."""

from __future__ import annotations

from typing import Any

import pytest

from support.required_claims import require_claims
from tables.verification.rules_helpers import PEOPLE, broken
from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.registry import claim_checks


@pytest.mark.parametrize(
    ("rule", "params", "message"),
    [
        ("k-anonymity", {"k": 1, "columns": ["a"]}, "k must be at least 2, not 1"),
        ("k-anonymity", {"k": 2, "columns": []}, "at least one column"),
        ("k-anonymity", {"columns": ["a"]}, "parameter 'k'"),
        ("l-diversity", {"l": 1, "columns": ["a"], "sensitive": ["s"]}, "l must be at least 2"),
        ("l-diversity", {"l": 2, "columns": [], "sensitive": ["s"]}, "needs quasi-identifiers"),
        ("l-diversity", {"l": 2, "columns": ["a"], "sensitive": []}, "needs quasi-identifiers"),
    ],
)
def test_rules_that_would_prove_nothing(rule: str, params: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        claim_checks.build(rule, params)


def test_one_changed_cell_is_caught_and_the_smallest_group_named() -> None:
    release = Mondrian(5).anonymize(PEOPLE, rng=Randomness(1))
    require_claims(release.public, release.claims)
    spoiled = broken(release, "region", "Atlantis")
    with pytest.raises(ClaimError) as caught:
        require_claims(spoiled, release.claims)
    first = caught.value.faults[0]
    assert "only 1 row has" in first.message.show("en")
    assert "region=Atlantis" in first.message.show("en")
    assert first.line == 7 + 2
    assert caught.value.exit_code == 1
    assert "nothing is written" in str(caught.value)


def test_a_later_step_that_undoes_an_earlier_one_is_caught() -> None:
    undone = Pipeline((Microaggregate(groups="mdav", k=4), Noise(0.1)))
    release = undone.anonymize(PEOPLE, rng=Randomness(1))
    with pytest.raises(ClaimError, match="a later step may have undone"):
        require_claims(release.public, release.claims)
