"""Tests of tokumei.tables.attack_aware.defend."""

from __future__ import annotations

import polars as pl
import pytest

import tokumei as tk
from tables.attack_aware_helpers import BOUNDS, PEOPLE, QI, SA
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.attack_aware.defend import Defend
from tokumei.tables.verification.claims import claim_violations


@pytest.mark.long
def test_the_seed_decides_all_and_identifiers_are_gone() -> None:
    frame = PEOPLE.frame.with_columns(who=pl.Series([f"P{i:03}" for i in range(PEOPLE.rows)]))
    source = tk.Table.of(frame, qi=QI, sa=SA, ids=["who"])
    method = Defend(bounds=BOUNDS, attacks=("E4",), holdout=(), k=30)
    first, again, other = (method.anonymize(source, rng=Randomness(seed)) for seed in (5, 5, 6))
    assert first.public.frame.equals(again.public.frame)
    assert first.link.tolist() == again.link.tolist() != other.link.tolist()
    assert "who" not in first.public.schema.names
    assert min(first.public.frame.group_by(QI).len()["len"]) >= 30
    assert claim_violations(first.public, first.claims) == []
    assert str(first.link.tolist())[1:20] not in str(first.manifest())


def test_what_cannot_be_asked() -> None:
    for params, said in (
        ({"bounds": {}}, "at least one bound"),
        ({"bounds": {"U9": 1.0}}, "U9"),
        ({"attacks": ("E1",), "holdout": ("E1",)}, "held out"),
    ):
        with pytest.raises(UsageError, match=said):
            Defend(**params)
