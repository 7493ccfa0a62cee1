"""Tests of tokumei.tables.verification.value_frequency."""

from __future__ import annotations

from typing import Any

import pytest

from tables.verification.privacy_models_helpers import ONE, people
from tables.verification.privacy_parameters_helpers import GOOD, TREE, build
from tokumei.core.errors import UsageError
from tokumei.tables.verification.k_anonymity import KPerPerson
from tokumei.tables.verification.l_diversity import EntropyLDiversity, RecursiveLDiversity
from tokumei.tables.verification.t_closeness import TCloseness
from tokumei.tables.verification.value_frequency import AlphaK, BetaLikeness, DeltaDisclosure


def test_of_equally_bad_values_the_first_is_named() -> None:
    (fault,) = AlphaK(0.4, **ONE).check(people(("A", "bbaa")))
    assert "s=b in a share of 0.5" in fault.message.show("en")


def test_alpha_k_asks_for_k_rows_too() -> None:
    faults = AlphaK(0.5, **ONE, k=3).check(people(("A", "xy"), ("B", "xyz")))
    assert [(fault.rule, fault.line) for fault in faults] == [("alpha-k", 2)]
    assert "only 2 rows have (town=A)" in faults[0].message.show("en")


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (EntropyLDiversity, {"l": 1}, "l must be a number above 1, not 1"),
        (EntropyLDiversity, {"l": float("nan")}, "l must be a number above 1, not nan"),
        (RecursiveLDiversity, {"l": 1}, "l must be at least 2, not 1"),
        (RecursiveLDiversity, {"c": 0}, "c must be a number above 0, not 0"),
        (AlphaK, {"alpha": 1}, "alpha must be above 0 and below 1, not 1"),
        (AlphaK, {"k": 1}, "k must be at least 2, not 1"),
        (TCloseness, {"t": 1}, "t must be at least 0 and below 1, not 1"),
        (TCloseness, {"distance": "far"}, "parameter 'distance'"),
        (TCloseness, {"distance": "hierarchical"}, "needs a hierarchy"),
        (TCloseness, {"hierarchy": TREE}, "needs a hierarchy, the others none"),
        (BetaLikeness, {"beta": 0}, "beta must be a number above 0, not 0"),
        (DeltaDisclosure, {"delta": float("inf")}, "delta must be a number above 0, not inf"),
        (KPerPerson, {"k": 1}, "k must be at least 2, not 1"),
        (KPerPerson, {"person": "a"}, "a person column that is none of them"),
    ],
)
def test_parameters_that_would_prove_nothing(
    kind: type, change: dict[str, Any], message: str
) -> None:
    params = next(params for known, params in GOOD if known is kind)
    with pytest.raises(UsageError, match=message):
        build(kind, {**params, **change})
