"""Tests of tokumei.core.derived_pseudonyms."""

from __future__ import annotations

import random

import polars as pl

from apps.contest.judge.pseudonym_rule_helpers import HISTORY, IDS
from tokumei.core.derived_pseudonyms import PseudonymShowsCustomer


def test_short_ids_are_found_in_pseudonyms_but_not_by_chance():
    short = {name: str(place) for place, name in enumerate(IDS.unique().sort())}
    source = HISTORY.rows.cells.with_columns(IDS.replace_strict(short).alias("customer"))
    rule = PseudonymShowsCustomer()

    def told(make):
        names = [make(short[name], name) for name in IDS]
        rows = source.with_columns(pl.Series("customer", names))
        return rule.check(rows, source=type("Source", (), {"frame": source})())

    assert any(
        "holds" in fault.message.show("en") for fault in told(lambda own, name: f"user-{own}-x")
    )
    random_long = {name: str(random.Random(name).getrandbits(120)) for name in short}
    assert told(lambda own, name: random_long[name]) == []
