"""Tests of tokumei.tables.anonymizers.drop_identifiers."""

from __future__ import annotations

import polars as pl

import tokumei as tk
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.drop_identifiers import DropIdentifiers
from tokumei.tables.data.table import Table

FRAME = pl.DataFrame({"name": list("abcdef"), "pay": [1, 2, 3, 4, 5, 6]})


def test_identifiers_go_and_every_other_cell_stays_with_its_row() -> None:
    table = Table.of(FRAME, qi=(), sa=["pay"], ids=["name"])
    release = DropIdentifiers().anonymize(table, rng=Randomness(1))
    assert release.public.frame.columns == ["pay"]
    assert release.public.frame["pay"].to_list() == FRAME["pay"].gather(release.link).to_list()
    assert sorted(release.link.tolist()) == list(range(6))
    assert release.link.tolist() != list(range(6))


def test_it_is_a_method_like_any_other() -> None:
    frame = pl.DataFrame({"amount": [10.5, 20.25, 30.125] * 4})
    release = tk.anonymize(frame, "drop-identifiers", qi=(), sa="amount", seed=1)
    assert sorted(release.frame["amount"].to_list()) == sorted(frame["amount"].to_list())
    assert release.claims == ()
