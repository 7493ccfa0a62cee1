"""Tests of tokumei.core.advice.purpose."""

from __future__ import annotations

import pytest

from tokumei.advice import Purpose
from tokumei.core.errors import UsageError


def test_a_purpose_sets_what_the_documentation_says() -> None:
    table = {
        "public": (20, (10, 20, 50), ("l=2",), 0.05, "everything"),
        "partner": (5, (3, 5, 10, 20), (), 0.02, "known"),
        "inside": (3, (2, 3, 5, 10), (), 0.0, "known"),
    }
    for recipient, (k, ks, models, share, counted) in table.items():
        found = Purpose(recipient).settings  # type: ignore[arg-type]
        assert (found.k, found.ks, found.models) == (k, ks, models)
        assert (found.suppression, found.counted) == (share, counted)
    asked = Purpose(
        "inside", keep=("a", "b", "c", "d", "e"), predict="z", tables=(("t", "a"),), k=8
    )
    weights = {"t": 2.0, "a": 4.0, "b": 3.0, "c": 2.0, "d": 2.0, "e": 2.0, "z": 4.0}
    assert dict(asked.settings.weights) == weights
    assert asked.settings.ks == (4, 8, 16, 32)
    assert Purpose.from_json(asked.as_json()) == asked


@pytest.mark.parametrize("wrong", [{"recipient": "friends"}, {"k": 1}, {"suppression": 1.0}])
def test_a_purpose_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Purpose(**wrong)  # type: ignore[arg-type]
